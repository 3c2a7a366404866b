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
  const { place, node, isFailed, symbol } = verdict;
  const text = unbroken(verdict.text);
  const [before, after] = place !== '' && text.includes(place) ? splitAt(text, place) : [text, ''];
  return (
    <div class={`heading ${kind}`}>
      <div class="title">
        {kinds[kind] === '' ? null : <span class="kind">{kinds[kind]}</span>}
        <h1 class={isFailed ? 'failed' : ''}>
          <span aria-hidden="true">{`${symbol} `}</span>
          {before}
          {after === '' && before === text ? null : (
            <>
              <button type="button" class="link" onClick={() => onRun('line', node)}>
                {place}
              </button>
              {after}
            </>
          )}
        </h1>
        <p class="facts" role="status">
          {unbroken(
            `${isFailed ? `${page.headline}. ` : ''}${page.facts}${isPending ? '. It may still grow.' : ''}`,
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

function splitAt(text: string, place: string): [before: string, after: string] {
  const at = text.indexOf(place);
  return [text.slice(0, at), text.slice(at + place.length)];
}
