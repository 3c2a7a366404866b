import type { JSX } from 'preact';
import type { PageCommand, TracePage } from '../../protocol/tracePage';
import { commandTitles } from './detailsPane';
import { unbroken } from './pageText';

/** What did not happen never looks like what did. */
const kinds: Record<TracePage['kind'], string> = {
  happened: '',
  rehearsal: 'Rehearsal, nothing was sent',
  replay: 'Replay with changes: this did not happen',
  undone: 'Undone by a restore',
  comparison: 'Comparison',
};

/** The verdict first, then what it is about, and what can be done with it. */
export function PageHeader({
  page,
  onRun,
  onSelect,
}: {
  page: TracePage;
  onRun: (command: PageCommand, node: number) => void;
  onSelect: (node: number) => void;
}): JSX.Element {
  const { verdict, kind, isPending } = page;
  const { source, node, isFailed, symbol, text } = verdict;
  return (
    <div class={`heading ${kind}`}>
      <div class="title">
        {kinds[kind] === '' ? null : <span class="kind">{kinds[kind]}</span>}
        <h1 class={isFailed ? 'failed' : ''}>
          <span aria-hidden="true">{`${symbol} `}</span>
          {unbroken(text)}
        </h1>
        {source === undefined ? null : (
          <div class="source">
            <button type="button" class="link" onClick={() => onRun('line', node)}>
              {source.place}
            </button>
            <pre tabIndex={0} aria-label="The line that threw, and the values of its names">
              {source.code}
              {source.values === '' ? null : (
                <>
                  {'\n'}
                  <b>{source.values}</b>
                </>
              )}
            </pre>
          </div>
        )}
        <p class="facts" role="status">
          {unbroken(
            `${isFailed ? `${page.headline} · ` : ''}${page.facts}${isPending ? '. It may still grow.' : ''}`,
          )}
          {node >= 0 ? (
            <>
              {' '}
              <button type="button" class="link" onClick={() => onSelect(node)}>
                {shownFirst(kind)}
              </button>
            </>
          ) : null}
        </p>
        {page.problems.map((problem) => (
          <p key={problem} class="problem">
            {problem}
          </p>
        ))}
      </div>
      {page.commands.length === 0 ? null : (
        <div class="commands">
          {page.commands.map((command) => (
            <button key={command} type="button" onClick={() => onRun(command, verdictNode(command, node))}>
              {commandTitles[command]}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** What the verdict is about, as the text of its link. */
function shownFirst(kind: TracePage['kind']): string {
  switch (kind) {
    case 'comparison':
      return 'Show the first difference';
    case 'rehearsal':
    case 'replay':
      return 'Show the transaction that would fail';
    case 'happened':
    case 'undone':
      return 'Show the failed transaction';
  }
}

/** The line that threw is one of a transaction; all else is about the trace. */
function verdictNode(command: PageCommand, node: number): number {
  return command === 'line' ? node : -1;
}
