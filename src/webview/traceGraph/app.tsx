import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TraceGraph } from '../../protocol/traceGraph';
import { GraphView } from './graphView';
import type { GraphHandle } from './graphView';
import { graphSvg } from './graphSvg';
import { onHostMessage, savedState, saveState, tellHost } from './host';
import { layoutGraph } from './layout';
import { findNodes } from './findNodes';
import { TableView } from './tableView';
import { Toolbar } from './toolbar';
import { treeRows } from './treeRows';
import { moveSelection } from './moveSelection';

/** Above this a table reads better than a graph. */
const tableFrom = 200;

/** The trace as a graph or an indented table, with search, selection, and export. */
export function App(): JSX.Element {
  const [graph, setGraph] = useState<TraceGraph>();
  const [view, setView] = useState<'graph' | 'table' | undefined>(savedState()?.view);
  const [selected, setSelected] = useState(0);
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set());
  const [query, setQuery] = useState('');
  const [hit, setHit] = useState(0);
  const shownKey = useRef<string | undefined>(undefined);
  const handle = useRef<GraphHandle>(null);
  const searchField = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const stop = onHostMessage((message) => {
      if (message.type === 'select') {
        setSelected(message.node);
        return;
      }
      const { graph: next, selected: wanted } = message;
      if (shownKey.current !== next.key) {
        shownKey.current = next.key;
        const kept = savedState();
        const isKept = kept?.key === next.key;
        setCollapsed(new Set(isKept ? kept.collapsed : []));
        setSelected(wanted ?? (isKept ? kept.selected : firstFailure(next)));
      } else if (wanted !== undefined) {
        setSelected(wanted);
      }
      setGraph(next);
    });
    tellHost({ type: 'ready' });
    return stop;
  }, []);

  useEffect(() => {
    if (graph !== undefined) {
      saveState({ view, selected, collapsed: [...collapsed], key: graph.key });
    }
  }, [graph, view, selected, collapsed]);

  const hits = useMemo(() => findNodes(graph?.nodes ?? [], query), [graph, query]);
  const shown = view ?? ((graph?.nodes.length ?? 0) > tableFrom ? 'table' : 'graph');
  const layout = useMemo(
    () => (shown === 'graph' ? layoutGraph : treeRows)(graph?.nodes ?? [], collapsed),
    [graph, collapsed, shown],
  );

  const onKey = useRef<(event: KeyboardEvent) => void>(() => undefined);
  useEffect(() => {
    // On the window, because nothing has focus when the page opens.
    const listen = (event: KeyboardEvent): void => onKey.current(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  if (graph === undefined) {
    return <p class="empty">Waiting for a trace.</p>;
  }

  const select = (node: number): void => {
    setCollapsed((known) => opened(known, node, graph));
    setSelected(node);
    tellHost({ type: 'select', node });
  };
  const open = (node: number): void => tellHost({ type: 'open', node });
  const toggle = (node: number): void => setCollapsed((known) => toggled(known, node));
  const goToHit = (step: number): void => {
    if (hits.length > 0) {
      const next = (hit + step + hits.length) % hits.length;
      setHit(next);
      select(hits[next] ?? 0);
    }
  };
  onKey.current = (event: KeyboardEvent): void => {
    if (event.target === searchField.current) {
      return;
    }
    const isSearch = event.key === '/' || (event.key === 'f' && (event.ctrlKey || event.metaKey));
    if (isSearch) {
      searchField.current?.focus();
    } else if (event.key === 'F3') {
      goToHit(event.shiftKey ? -1 : 1);
    } else if (!isInTree(event)) {
      return;
    } else if (event.key === 'Enter') {
      open(selected);
    } else if (event.key === ' ') {
      toggle(selected);
    } else if (!handle.current?.onKey(event.key)) {
      const next = moveSelection(event.key, selected, layout, toggle);
      if (next === undefined) {
        return;
      }
      select(next);
    }
    event.preventDefault();
  };
  const viewProperties = {
    graph,
    layout,
    selected,
    collapsed,
    hits,
    onSelect: select,
    onOpen: open,
    onToggle: toggle,
  };
  return (
    <main class="app">
      <header>
        <h1>{graph.headline}</h1>
        <p class="facts">{graph.facts}</p>
        {graph.verdict === '' ? null : (
          <p class="verdict" role="status">
            {graph.verdict}
          </p>
        )}
        {graph.problems.map((problem) => (
          <p class="problem">{problem}</p>
        ))}
        <Toolbar
          view={shown}
          onView={setView}
          query={query}
          hits={hits.length}
          hit={hits.length === 0 ? 0 : Math.min(hit, hits.length - 1) + 1}
          searchField={searchField}
          onQuery={(text) => {
            setQuery(text);
            setHit(0);
            const first = findNodes(graph.nodes, text)[0];
            if (first !== undefined) {
              select(first);
            }
          }}
          onHit={goToHit}
          onZoom={(key) => handle.current?.onKey(key)}
          onExport={(format) =>
            tellHost(
              format === 'svg'
                ? { type: 'export', format, text: graphSvg(graph, layoutGraph(graph.nodes, new Set())) }
                : { type: 'export', format },
            )
          }
        />
      </header>
      {shown === 'graph' ? (
        <GraphView {...viewProperties} handle={handle} />
      ) : (
        <TableView {...viewProperties} />
      )}
    </main>
  );
}

/** Tree keys apply only to the tree: a button keeps its Enter. */
function isInTree(event: KeyboardEvent): boolean {
  return event.target instanceof Element && event.target.closest('[role=tree]') !== null;
}

function firstFailure(graph: TraceGraph): number {
  const failed = graph.nodes.findIndex((node) => node.outcome === 'failed' || node.outcome === 'partial');
  return Math.max(failed, 0);
}

function toggled(known: ReadonlySet<number>, node: number): ReadonlySet<number> {
  const next = new Set(known);
  if (!next.delete(node)) {
    next.add(node);
  }
  return next;
}

/** The selection must be visible: expands everything above it. */
function opened(known: ReadonlySet<number>, node: number, graph: TraceGraph): ReadonlySet<number> {
  let next: Set<number> | undefined;
  for (let above = graph.nodes[node]?.parent ?? -1; above >= 0; above = graph.nodes[above]?.parent ?? -1) {
    if (known.has(above)) {
      next ??= new Set(known);
      next.delete(above);
    }
  }
  return next ?? known;
}
