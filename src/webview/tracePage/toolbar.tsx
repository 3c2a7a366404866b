import type { JSX, RefObject } from 'preact';
import type { Measure, PictureName } from './pageText';
import { pictures } from './pageText';

export interface ToolbarProperties {
  picture: PictureName;
  onPicture: (picture: PictureName) => void;
  measure: Measure;
  onMeasure: (measure: Measure) => void;
  query: string;
  onQuery: (text: string) => void;
  hits: number;
  /** The most that a search can find. */
  total: number;
  /** From 1; 0 if there is none. */
  hit: number;
  onHit: (step: number) => void;
  onZoom: (key: '+' | '-' | '0') => void;
  /** Undefined where nothing can be saved. */
  onExport: ((format: ExportFormat) => void) | undefined;
  searchField: RefObject<HTMLInputElement | null>;
}

/** What a picture or the trace can be saved or copied as. */
export type ExportFormat = 'svg' | 'png' | 'html' | 'mermaid' | 'json';

const titles: Record<PictureName, string> = {
  flow: 'Flow',
  sequence: 'Sequence',
  money: 'Money',
  table: 'Table',
};

const measures: Record<Measure, string> = { value: 'value', gas: 'gas', fee: 'fee' };

/** Letters of the widest count of results: what stands beside it stays where it is while one types. */
function widestCount(total: number): number {
  return Math.max('not found'.length, `${total} of ${total}`.length) + 1;
}

/** Pictures, what they are measured by, search, zoom, and export. */
export function Toolbar(properties: ToolbarProperties): JSX.Element {
  const { picture, onPicture, measure, onMeasure, query, onQuery, hits, hit, onHit, onZoom, onExport } =
    properties;
  return (
    <div class="toolbar" role="toolbar" aria-label="Trace">
      <span class="group" role="group" aria-label="Picture">
        {pictures.map((name, index) => (
          <button
            key={name}
            type="button"
            aria-pressed={picture === name}
            title={`${titles[name]} (${index + 1})`}
            onClick={() => onPicture(name)}
          >
            {titles[name]}
          </button>
        ))}
      </span>
      {picture === 'flow' ? (
        <label class="group">
          size by
          <select
            value={measure}
            onChange={(event) => onMeasure((event.currentTarget.value as Measure | undefined) ?? 'value')}
          >
            {Object.entries(measures).map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <span class="search" style={{ '--widest': `${widestCount(properties.total)}ch` }}>
        <input
          ref={properties.searchField}
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
      {picture === 'table' ? null : (
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
      )}
      {onExport === undefined ? null : (
        <label class="group">
          <select
            aria-label="Export"
            value=""
            onChange={(event) => {
              const format = event.currentTarget.value;
              event.currentTarget.value = '';
              onExport(format as ExportFormat);
            }}
          >
            <option value="" disabled>
              Export…
            </option>
            {picture === 'table' ? null : (
              <>
                <option value="svg">Picture as SVG</option>
                <option value="png">Picture as PNG</option>
              </>
            )}
            <option value="html">Page as HTML file</option>
            <option value="mermaid">Copy as Mermaid</option>
            <option value="json">Copy as JSON</option>
          </select>
        </label>
      )}
    </div>
  );
}
