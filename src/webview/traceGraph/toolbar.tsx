import type { JSX, RefObject } from 'preact';

export interface ToolbarProperties {
  view: 'graph' | 'table';
  onView: (view: 'graph' | 'table') => void;
  query: string;
  onQuery: (text: string) => void;
  hits: number;
  /** From 1; 0 if there is none. */
  hit: number;
  onHit: (step: number) => void;
  onZoom: (key: '+' | '-' | '0') => void;
  onExport: (format: 'svg' | 'mermaid' | 'json') => void;
  searchField: RefObject<HTMLInputElement | null>;
}

/** Views, search, zoom, and export. */
export function Toolbar(properties: ToolbarProperties): JSX.Element {
  const { view, onView, query, onQuery, hits, hit, onHit, onZoom, onExport, searchField } = properties;
  return (
    <div class="toolbar" role="toolbar" aria-label="Trace">
      <span class="group" role="group" aria-label="View">
        <button type="button" aria-pressed={view === 'graph'} onClick={() => onView('graph')}>
          Graph
        </button>
        <button type="button" aria-pressed={view === 'table'} onClick={() => onView('table')}>
          Table
        </button>
      </span>
      <span class="group">
        <input
          ref={searchField}
          type="search"
          placeholder="Search (/)"
          aria-label="Search accounts, messages, values, results"
          value={query}
          onInput={(event) => onQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              onHit(event.shiftKey ? -1 : 1);
            }
          }}
        />
        <span class="hits" role="status">
          {query.trim() === '' ? '' : hits === 0 ? 'not found' : `${hit} of ${hits}`}
        </span>
      </span>
      {view === 'graph' ? (
        <span class="group" role="group" aria-label="Zoom">
          <button type="button" title="Zoom out (-)" aria-label="Zoom out" onClick={() => onZoom('-')}>
            −
          </button>
          <button type="button" title="Zoom in (+)" aria-label="Zoom in" onClick={() => onZoom('+')}>
            +
          </button>
          <button type="button" title="Show all (0)" onClick={() => onZoom('0')}>
            Fit
          </button>
        </span>
      ) : null}
      <span class="group" role="group" aria-label="Export">
        <button type="button" onClick={() => onExport('svg')}>
          SVG
        </button>
        <button type="button" onClick={() => onExport('mermaid')}>
          Mermaid
        </button>
        <button type="button" onClick={() => onExport('json')}>
          JSON
        </button>
      </span>
    </div>
  );
}
