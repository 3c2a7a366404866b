import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Placed } from './layout';
import type { ViewProperties } from './viewProperties';

const rowHeight = 22;
const overscan = 10;
/** Deeper levels are not indented further; a number shows the depth. */
const deepestIndent = 24;

/** The tree as indented rows; only visible ones are rendered. */
export function TableView(properties: ViewProperties): JSX.Element {
  const { graph, layout, selected, hits } = properties;
  const scroller = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);

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

  const current = layout.byNode.get(selected);
  const position = current === undefined ? -1 : layout.placed.indexOf(current);
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
  }, [position]);

  const first = Math.max(0, Math.floor(top / rowHeight) - overscan);
  const last = Math.min(layout.placed.length, Math.ceil((top + height) / rowHeight) + overscan);
  const rows = layout.placed.slice(first, last);
  const isCurrentShown = position >= first && position < last;
  const found = new Set(hits);
  return (
    <div class="table">
      <div class="row head" aria-hidden="true">
        <span class="account">account</span>
        <span class="message">message</span>
        <span class="number">value</span>
        <span class="result">result</span>
        <span class="number">fee {graph.coin}</span>
      </div>
      <div
        ref={scroller}
        class="rows"
        role="tree"
        aria-label={`Transactions of ${graph.headline}`}
        tabIndex={0}
        aria-activedescendant={isCurrentShown ? `row-${selected}` : undefined}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      >
        <div class="extent" role="presentation" style={{ height: `${layout.placed.length * rowHeight}px` }}>
          {rows.map((box, index) => (
            <Row
              key={box.node}
              box={box}
              offset={(first + index) * rowHeight}
              properties={properties}
              isFound={found.has(box.node)}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface RowProperties {
  box: Placed;
  offset: number;
  properties: ViewProperties;
  isFound: boolean;
}

function Row({ box, offset, properties, isFound }: RowProperties): JSX.Element | null {
  const { graph, selected, collapsed, onSelect, onOpen, onToggle } = properties;
  const node = graph.nodes[box.node];
  if (node === undefined) {
    return null;
  }
  const isSelected = box.node === selected;
  const hasChildren = box.children.length > 0 || box.hidden > 0;
  const isOpen = box.children.length > 0 && !collapsed.has(box.node);
  const siblings = box.parent?.children ?? [box];
  return (
    <div
      id={`row-${box.node}`}
      class={`row ${node.outcome}${node.isEmulated ? ' emulated' : ''}${isSelected ? ' selected' : ''}${isFound ? ' found' : ''}`}
      role="treeitem"
      aria-level={box.depth + 1}
      aria-selected={isSelected}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-setsize={siblings.length}
      aria-posinset={siblings.indexOf(box) + 1}
      style={{ transform: `translateY(${offset}px)` }}
      title={`${node.account}\n${node.hash}`}
      onClick={() => onSelect(box.node)}
      onDblClick={() => onOpen(box.node)}
    >
      <span class="account" style={{ paddingLeft: `${Math.min(box.depth, deepestIndent) * 14}px` }}>
        <span
          class="twistie"
          aria-hidden="true"
          onClick={(event) => (event.stopPropagation(), onToggle(box.node))}
        >
          {hasChildren ? (isOpen ? '▾' : '▸') : ''}
        </span>
        <span class="symbol">{node.symbol}</span>
        {box.depth > deepestIndent ? `(level ${box.depth}) ` : ''}
        <span class="letter">{node.letter}</span> {node.name}
        {box.hidden > 0 ? <span class="hidden-count"> +{box.hidden}</span> : null}
      </span>
      <span class="message">{node.message}</span>
      <span class="number">{node.value}</span>
      <span class="result">{node.result}</span>
      <span class="number">{node.fee}</span>
    </div>
  );
}
