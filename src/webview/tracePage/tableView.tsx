import type { JSX } from 'preact';
import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TracePage } from '../../protocol/tracePage';
import { nodeClasses } from './foldNodes';
import { accountOf, isCompared } from './pageText';
import type { PictureProperties } from './pageText';
import { cellText, tableColumns, tableRows, tableText } from './tableRows';
import type { Column, Sorting, TableRow } from './tableRows';

const rowHeight = 22;
const overscan = 10;
/** Deeper levels are not indented further, or nothing would be left of their names; a number shows the depth. */
const deepestIndent = 6;
const indent = 10;

type TableProperties = Pick<
  PictureProperties,
  'page' | 'tree' | 'selected' | 'collapsed' | 'hits' | 'onSelect' | 'onOpen' | 'onToggle' | 'handle'
> & {
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  /** The search shows nothing but what it finds. */
  isFiltered: boolean;
  onFilter: (isFiltered: boolean) => void;
  query: string;
};

/** All transactions as rows: the tree, or sorted, or only those found. Only visible ones are rendered. */
export function TableView(properties: TableProperties): JSX.Element {
  const { page, tree, selected, hits, sorting, onSort, isFiltered, onFilter, query } = properties;
  const scroller = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const [copied, setCopied] = useState('');
  const columns = useMemo(() => tableColumns(page), [page]);
  const isSearching = query.trim() !== '';
  const rows = useMemo(
    () => tableRows(page, tree, sorting, isFiltered && isSearching ? hits : undefined),
    [page, tree, sorting, isFiltered && isSearching ? hits : undefined],
  );

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) {
      return undefined;
    }
    const measure = (): void => setHeight(element.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const item = tree.itemOf[selected];
  const position = rows.findIndex((row) =>
    row.item === undefined ? row.node === selected : row.item === item,
  );
  useEffect(() => {
    const element = scroller.current;
    if (element === null || position < 0) {
      return;
    }
    const at = position * rowHeight;
    if (at < element.scrollTop) {
      element.scrollTop = at;
    } else if (at + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = at + rowHeight - element.clientHeight;
    }
  }, [position, sorting]);

  useImperativeHandle(properties.handle, () => ({
    onKey: () => false,
    center: () => {
      const element = scroller.current;
      element?.focus();
      element?.scrollTo({ top: (position + 0.5) * rowHeight - element.clientHeight / 2 });
    },
  }));

  const copy = (): void => {
    navigator.clipboard.writeText(tableText(page, rows)).then(
      () => setCopied(`Copied ${rows.length} rows.`),
      () => setCopied('The editor did not allow copying.'),
    );
  };
  const first = Math.max(0, Math.floor(top / rowHeight) - overscan);
  const last = Math.min(rows.length, Math.ceil((top + height) / rowHeight) + overscan);
  const isCurrentShown = position >= first && position < last;
  const { template, least } = useMemo(() => {
    const widths = columns.map((column) => columnWidth(page, rows, column));
    return {
      template: widths.map(([from, to]) => `minmax(${from}, ${to})`).join(' '),
      // With the gaps between them; narrower, the table is scrolled.
      least: `calc(${widths.map(([from]) => from).join(' + ')} + ${12 * (widths.length - 1)}px)`,
    };
  }, [page, columns, rows]);
  return (
    <div class="table">
      <div class="table-tools">
        <label
          class={isSearching ? '' : 'unavailable'}
          title={isSearching ? undefined : 'Type something into the search field first.'}
        >
          <input
            type="checkbox"
            checked={isFiltered && isSearching}
            aria-disabled={!isSearching}
            onClick={(event) => {
              if (!isSearching) {
                event.preventDefault();
              }
            }}
            onChange={(event) => onFilter(event.currentTarget.checked)}
          />
          Only what the search finds
        </label>
        <button type="button" onClick={copy}>
          Copy Rows
        </button>
        <span role="status">{copied}</span>
      </div>
      <div
        class="row head"
        role="group"
        aria-label="Sort by"
        style={{ gridTemplateColumns: template, minWidth: least }}
      >
        {columns.map((column) => (
          <Heading key={column.name} column={column} sorting={sorting} onSort={onSort} />
        ))}
      </div>
      <div
        ref={scroller}
        class="rows"
        style={{ minWidth: `calc(${least} + 32px)` }}
        role="tree"
        aria-label={`Transactions of ${page.headline}`}
        tabIndex={0}
        aria-activedescendant={isCurrentShown ? `row-${selected}` : undefined}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown={(event) => {
          if ((event.ctrlKey || event.metaKey) && event.key === 'c') {
            copy();
          }
        }}
      >
        <div class="extent" role="presentation" style={{ height: `${rows.length * rowHeight}px` }}>
          {rows.slice(first, last).map((row, index) => (
            <Row
              key={`${row.node} ${row.item?.members.length ?? 0}`}
              {...{ row, columns, template, properties }}
              offset={(first + index) * rowHeight}
              isSelected={first + index === position}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** The least and the most that a column takes: `fr` are shares of what is left. */
type ColumnWidth = readonly [least: string, most: string];

const widths: Partial<Record<Column['name'], ColumnWidth>> = {
  account: ['120px', '2.2fr'],
  message: ['64px', '1.6fr'],
  change: ['120px', '2fr'],
};

/** What a result needs to say its code, and what one may take: its name comes after the code. */
const leastResult = 11;
const mostResult = 30;

/** Of what a comparison is opened for; the details have all of it. */
const mostDifference = 60;

/** Numbers are never cut: half of one is another number. A result takes what it needs before names do. */
function columnWidth(
  page: TracePage,
  rows: readonly TableRow[],
  { name, title, isNumber }: Column,
): ColumnWidth {
  const known = widths[name];
  const isDifference = name === 'change' && isCompared(page);
  if (known !== undefined && !isDifference) {
    return known;
  }
  const longest = rows.reduce((most, row) => Math.max(most, cellText(page, row, name).length), title.length);
  const width = (most: number): string => `${Math.min(longest + 0.5, most)}ch`;
  if (isDifference) {
    return [width(mostDifference), '2fr'];
  }
  return isNumber ? [width(Infinity), width(Infinity)] : [width(leastResult), width(mostResult)];
}

/** A click sorts, again turns it round, and a third one goes back to the tree. */
function Heading({
  column: { name, title, isNumber },
  sorting,
  onSort,
}: {
  column: Column;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
}): JSX.Element {
  const isOwn = sorting?.column === name;
  const isLast = isOwn && sorting.isDescending !== isNumber;
  const next: Sorting = isLast
    ? undefined
    : { column: name, isDescending: isOwn ? !sorting.isDescending : isNumber };
  const words = isOwn ? (sorting.isDescending ? ', descending' : ', ascending') : '';
  return (
    <button
      type="button"
      class={isNumber ? 'number' : ''}
      aria-pressed={isOwn}
      aria-label={`${title}${words}`}
      onClick={() => onSort(next)}
    >
      {`${title}${isOwn ? (sorting.isDescending ? ' ↓' : ' ↑') : ''}`}
    </button>
  );
}

interface RowProperties {
  row: TableRow;
  columns: readonly Column[];
  template: string;
  offset: number;
  properties: TableProperties;
  isSelected: boolean;
}

function Row({ row, columns, template, offset, properties, isSelected }: RowProperties): JSX.Element | null {
  const { page, hits, onSelect, onOpen, onToggle } = properties;
  const { item, depth } = row;
  const node = page.nodes[row.node];
  if (node === undefined) {
    return null;
  }
  const isFold = item !== undefined && item.members.length > 1;
  const hasChildren = item !== undefined && (item.children.length > 0 || item.hidden > 0 || isFold);
  const isOpen = hasChildren && item.children.length > 0;
  const siblings = item?.parent?.children;
  const isFound = hits.has(row.node);
  return (
    <div
      id={`row-${isSelected ? properties.selected : row.node}`}
      class={`row ${nodeClasses(node, isSelected, isFound)}`}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-setsize={siblings?.length}
      aria-posinset={item === undefined || siblings === undefined ? undefined : siblings.indexOf(item) + 1}
      style={{ transform: `translateY(${offset}px)`, gridTemplateColumns: template }}
      title={`${accountOf(page, node).name}\n${accountOf(page, node).account}\n${node.hash}`}
      onClick={() => onSelect(isSelected ? properties.selected : row.node)}
      onDblClick={() => (isFold ? onToggle(row.node) : onOpen(row.node))}
    >
      {columns.map(({ name, isNumber }) =>
        name === 'account' ? (
          <span
            key={name}
            class="account"
            style={{ paddingLeft: `${Math.min(depth, deepestIndent) * indent}px` }}
          >
            <span
              class="twistie"
              aria-hidden="true"
              onClick={(event) => (event.stopPropagation(), onToggle(row.node))}
            >
              {hasChildren ? (isOpen ? '▾' : '▸') : ''}
            </span>
            {depth > deepestIndent ? <span class="level">{`${depth} `}</span> : null}
            <span class="letter">{item?.isMixed === true ? '' : accountOf(page, node).letter}</span>{' '}
            {cellText(page, row, name)}
            {item !== undefined && item.hidden > 0 ? <span class="hidden-count"> +{item.hidden}</span> : null}
          </span>
        ) : (
          <span
            key={name}
            class={isNumber ? 'number' : name}
            title={isNumber ? undefined : cellText(page, row, name)}
          >
            {cellText(page, row, name)}
          </span>
        ),
      )}
    </div>
  );
}
