import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type {
  PageCommand,
  PageDetails,
  PageAnswer,
  PageStep,
  ToTracePage,
  TracePage,
} from '../../protocol/tracePage';
import type { Camera } from './flowLayout';
import { DetailsPane, PageHeader } from './detailsPane';
import { FlowView } from './flowView';
import type { Item } from './foldNodes';
import { foldKey, foldNodes, moveSelection } from './foldNodes';
import type { ViewState } from './host';
import { isStandalone, onHostMessage, saveState, savedState, tellHost } from './host';
import { MoneyView } from './moneyView';
import { movedNodes } from './movedNodes';
import type { Measure, PictureName, PictureProperties } from './pageText';
import { findNodes, pictures } from './pageText';
import { pictureSvg } from './pictureSvg';
import { pngOf } from './pngOf';
import { SequenceView } from './sequenceView';
import type { StageHandle } from './stage';
import type { AskedOrigin } from './originHops';
import type { NoStep } from './stepSlider';
import type { Sorting } from './tableRows';
import { TableView } from './tableView';
import type { ExportFormat } from './toolbar';
import { Toolbar } from './toolbar';

/** A trace in four pictures of one model, with the details of what is selected. */
export function App(): JSX.Element {
  const kept = useMemo(savedState, []);
  const [page, setPage] = useState<TracePage>();
  const [details, setDetails] = useState<PageDetails>();
  const [step, setStep] = useState<PageStep | NoStep>();
  const [origin, setOrigin] = useState<PageAnswer | AskedOrigin>();
  const [picture, setPicture] = useState<PictureName>(kept?.picture ?? 'flow');
  const [measure, setMeasure] = useState<Measure>(kept?.measure ?? 'value');
  const [selected, setSelected] = useState(kept?.selected ?? 0);
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set(kept?.collapsed));
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set(kept?.unfolded));
  const [query, setQuery] = useState(kept?.query ?? '');
  const [hit, setHit] = useState(0);
  const [sorting, setSorting] = useState<Sorting>(kept?.sorting);
  const [isFiltered, setFiltered] = useState(false);
  const [notice, setNotice] = useState('');
  const cameras = useRef<ViewState['cameras']>(kept?.cameras ?? {});
  const shownKey = useRef<string | undefined>(kept?.key);
  const shown = useRef<TracePage>(undefined);
  const selectedNow = useRef(selected);
  const handle = useRef<StageHandle>(null);
  /** How often a link has asked for the transaction that it selects. */
  const [shows, setShows] = useState(0);
  useEffect(() => {
    if (shows > 0) {
      handle.current?.center();
    }
  }, [shows]);
  const searchField = useRef<HTMLInputElement>(null);

  const select = (node: number): void => {
    setSelected(node);
    tellHost({ type: 'select', node });
  };
  /** Also if it is selected: the user may have moved it out of sight. */
  const showNode = (node: number): void => {
    select(node);
    setShows((count) => count + 1);
  };
  const lookAt = (node: number): void => {
    setSelected(node);
    tellHost({ type: 'look', node });
  };
  /** Another trace begins anew; the same one, grown, keeps what is selected and folded. */
  const show = (next: TracePage, wanted: number | undefined): void => {
    const isSame = shownKey.current === next.key;
    shownKey.current = next.key;
    const before = shown.current?.nodes;
    const moved = isSame && before !== undefined ? movedNodes(before, next.nodes) : undefined;
    const place = (node: number): number => (moved === undefined ? node : (moved[node] ?? -1));
    shown.current = next;
    if (!isSame) {
      setPicture((before) => next.picture ?? before);
      cameras.current = {};
      setCollapsed(new Set());
      setUnfolded(new Set());
    } else if (moved !== undefined) {
      setCollapsed((known) => movedSet(known, place));
      setUnfolded((known) => movedSet(known, place));
    }
    setPage(next);
    setStep((known) =>
      known !== undefined && isSame && place(known.node) === known.node ? known : undefined,
    );
    const node = wanted ?? (isSame ? place(selectedNow.current) : opened(next));
    lookAt(node >= 0 && node < next.nodes.length ? node : 0);
  };

  const onHost = useRef<(message: ToTracePage) => void>(() => undefined);
  selectedNow.current = selected;
  onHost.current = (message) => {
    switch (message.type) {
      case 'select':
        lookAt(message.node);
        return;
      case 'details':
        setDetails(message.details);
        return;
      case 'step':
        setStep(message.step);
        return;
      case 'noStep':
        setStep(message);
        return;
      case 'origin':
        // Another value may have been asked about meanwhile.
        setOrigin((asked) => (isSameQuestion(asked, message.origin) ? message.origin : asked));
        return;
      case 'show':
        show(message.page, message.selected);
    }
  };
  useEffect(() => {
    const stop = onHostMessage((message) => onHost.current(message));
    tellHost({ type: 'ready' });
    return stop;
  }, []);

  const keep = (): void => {
    if (page !== undefined) {
      saveState({
        ...{ key: page.key, picture, selected, measure, query, sorting, cameras: cameras.current },
        ...{ collapsed: [...collapsed], unfolded: [...unfolded] },
      });
    }
  };
  const keepNow = useRef(keep);
  keepNow.current = keep;
  const keepSoon = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(keep, [page, picture, selected, measure, query, sorting, collapsed, unfolded]);

  const hitList = useMemo(() => (page === undefined ? [] : findNodes(page, query)), [page, query]);
  const hits = useMemo(() => new Set(hitList), [hitList]);
  const tree = useMemo(
    () => foldNodes(page?.nodes ?? [], { collapsed, unfolded }),
    [page, collapsed, unfolded],
  );

  const onKey = useRef<(event: KeyboardEvent) => void>(() => undefined);
  useEffect(() => {
    // On the window, because nothing has focus when the page opens.
    const listen = (event: KeyboardEvent): void => onKey.current(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  if (page === undefined) {
    return <p class="empty">Waiting for the trace.</p>;
  }
  if (page.nodes.length === 0) {
    return <p class="empty">{page.problems[0] ?? 'Nothing of this trace is known yet.'}</p>;
  }

  const run = (command: PageCommand, node: number): void => tellHost({ type: 'run', command, node });
  /** Asked again, the answer goes away. */
  const ask = (question: string, at?: number): void => {
    const asked = { node: selected, question, step: at };
    const isShown = isSameQuestion(origin, asked);
    setOrigin(isShown ? undefined : asked);
    if (!isShown) {
      tellHost({ type: 'ask', ...asked });
    }
  };
  const openAccount = (account: string): void => {
    if (account !== '' && !isStandalone) {
      tellHost({ type: 'openAccount', account });
    }
  };
  /** Closes the fold that an item was shown as one of. */
  const refold = ({ opened }: Item): void => {
    if (opened !== undefined) {
      setUnfolded((known) => toggled(known, opened.key));
    }
  };
  const toggle = (item: Item): void => {
    const isLeaf = item.children.length === 0 && item.hidden === 0;
    if (item.members.length > 1) {
      setUnfolded((known) => toggled(known, foldKey(item.members, item.isMixed)));
    } else if (item.opened !== undefined && isLeaf) {
      refold(item);
    } else {
      setCollapsed((known) => toggled(known, item.node));
    }
  };
  const toggleNode = (node: number): void => {
    const item = tree.itemOf[node];
    if (item !== undefined) {
      toggle(item);
    }
  };
  const goToHit = (step: number): void => {
    if (hitList.length > 0) {
      const next = (hit + step + hitList.length) % hitList.length;
      setHit(next);
      select(hitList[next] ?? 0);
    }
  };
  onKey.current = (event: KeyboardEvent): void => {
    if (event.key === 'F3') {
      // Also from the search field itself.
      goToHit(event.shiftKey ? -1 : 1);
      event.preventDefault();
      return;
    }
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) {
      return;
    }
    const named = pictures[Number(event.key) - 1];
    const isModified = event.ctrlKey || event.metaKey || event.altKey;
    if (event.key === '/' || (event.key === 'f' && (event.ctrlKey || event.metaKey))) {
      searchField.current?.focus();
    } else if (isModified) {
      return;
    } else if (named !== undefined) {
      setPicture(named);
    } else if (!isInTree(event)) {
      return;
    } else if (event.key === 'Enter') {
      run('text', selected);
    } else if (event.key === ' ') {
      toggleNode(selected);
    } else if (!handle.current?.onKey(event.key)) {
      const next = moveSelection(event.key, selected, tree, toggle);
      if (next === undefined) {
        return;
      }
      if (next !== tree.itemOf[selected]) {
        select(next.node);
      }
    }
    event.preventDefault();
  };
  const save = (format: ExportFormat): void => {
    if (format !== 'svg' && format !== 'png') {
      tellHost({ type: 'export', format });
    } else if (picture !== 'table') {
      const text = pictureSvg({ page, tree, picture, measure });
      if (format === 'svg') {
        tellHost({ type: 'export', format, text });
      } else {
        pngOf(text).then(
          (image) => tellHost({ type: 'export', format, text: image }),
          () => setNotice('This picture is too large for a PNG. Export it as SVG.'),
        );
      }
    }
  };
  const properties: PictureProperties = {
    ...{ page, tree, selected, collapsed, hits, measure, handle },
    camera: cameras.current[picture],
    onCamera: (camera: Camera) => {
      cameras.current[picture] = camera;
      // Not in every frame of a movement: each is a message to the editor.
      clearTimeout(keepSoon.current);
      keepSoon.current = setTimeout(() => keepNow.current(), 200);
    },
    onSelect: select,
    onOpen: (node) => run('text', node),
    onToggle: toggleNode,
    onRefold: refold,
  };
  return (
    <main class={`app ${page.kind}`}>
      <header>
        <PageHeader page={page} onRun={run} onSelect={showNode} />
        <Toolbar
          {...{ picture, measure, query, searchField }}
          onPicture={setPicture}
          onMeasure={setMeasure}
          hits={hitList.length}
          total={page.nodes.length}
          hit={hitList.length === 0 ? 0 : Math.min(hit, hitList.length - 1) + 1}
          onQuery={(text) => {
            setQuery(text);
            setHit(0);
            const first = findNodes(page, text)[0];
            if (first !== undefined) {
              select(first);
            }
          }}
          onHit={goToHit}
          onZoom={(key) => handle.current?.onKey(key)}
          onExport={isStandalone ? undefined : save}
        />
        {notice === '' ? null : (
          <p class="problem" role="status">
            {notice}
          </p>
        )}
      </header>
      <div class="body">
        <Picture name={picture} properties={properties} onAccount={openAccount}>
          <TableView
            {...properties}
            {...{ sorting, isFiltered, query }}
            onSort={setSorting}
            onFilter={setFiltered}
          />
        </Picture>
        <DetailsPane
          {...{ page, selected, details, step, origin }}
          onRun={(command) => run(command, selected)}
          onAccount={openAccount}
          onAsk={ask}
        />
      </div>
    </main>
  );
}

function Picture({
  name,
  properties,
  onAccount,
  children,
}: {
  name: PictureName;
  properties: PictureProperties;
  onAccount: (account: string) => void;
  children: JSX.Element;
}): JSX.Element {
  switch (name) {
    case 'flow':
      return <FlowView {...properties} />;
    case 'sequence':
      return <SequenceView {...properties} />;
    case 'money':
      return <MoneyView {...properties} onAccount={onAccount} />;
    case 'table':
      return children;
  }
}

/** What is selected when a page opens: what the verdict is about, or else what the trace is about. */
function opened({ verdict, main }: TracePage): number {
  return verdict.node >= 0 ? verdict.node : (main ?? 0);
}

/** Tree keys apply only to the tree: a button keeps its Enter. */
function isSameQuestion(one: AskedOrigin | undefined, other: AskedOrigin): boolean {
  return one?.node === other.node && one.question === other.question && one.step === other.step;
}

function isInTree(event: KeyboardEvent): boolean {
  return event.target instanceof Element && event.target.closest('[role=tree]') !== null;
}

/** What the user has opened or closed, by the new indexes; {@link foldKey} explains the negative ones. */
function movedSet(known: ReadonlySet<number>, place: (node: number) => number): ReadonlySet<number> {
  return new Set(
    [...known].flatMap((key) => {
      const node = place(key < 0 ? -1 - key : key);
      return node < 0 ? [] : [key < 0 ? -1 - node : node];
    }),
  );
}

function toggled(known: ReadonlySet<number>, node: number): ReadonlySet<number> {
  const next = new Set(known);
  if (!next.delete(node)) {
    next.add(node);
  }
  return next;
}
