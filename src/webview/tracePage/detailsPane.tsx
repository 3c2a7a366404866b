import type { JSX } from 'preact';
import { failedOutcome } from '../../protocol/tracePage';
import type {
  DetailRow,
  NodeDifference,
  PageCommand,
  PageDetails,
  TracePage,
} from '../../protocol/tracePage';
import { accountOf, unbroken } from './pageText';

/** What buttons and links say. */
export const commandTitles: Record<PageCommand, string> = {
  send: 'Send…',
  text: 'Text',
  line: 'Line That Threw',
  debug: 'Debug',
  replay: 'Replay…',
  replayWithChanges: 'Replay With Changes…',
  sendAgain: 'Send Again With Changes…',
  undo: 'Undo Send Again',
  compare: 'Compare…',
  steps: 'Steps',
  account: 'Account',
  source: 'Source',
  save: 'Save',
};

interface DetailsPaneProperties {
  page: TracePage;
  selected: number;
  /** Undefined until the editor has sent them. */
  details: PageDetails | undefined;
  onRun: (command: PageCommand) => void;
  onAccount: (account: string) => void;
}

/** Everything about the transaction that is selected. */
export function DetailsPane({
  page,
  selected,
  details,
  onRun,
  onAccount,
}: DetailsPaneProperties): JSX.Element {
  const node = page.nodes[selected];
  const isWhole = details !== undefined && details.node === selected;
  const title = isWhole ? details.title : accountOf(page, node).name;
  const commands = isWhole ? buttonsOf(details) : [];
  return (
    <aside class="details" aria-label="Details" tabIndex={0}>
      <h2>{unbroken(title)}</h2>
      <p class={node !== undefined && failedOutcome(node.outcome) ? 'failed' : 'facts'}>
        {isWhole
          ? unbroken(details.sentence)
          : `${node?.symbol ?? ''} ${node?.message ?? ''}, ${node?.result ?? ''}`}
      </p>
      {commands.length > 0 ? (
        <p class="commands">
          {commands.map((command) => (
            <button key={command} type="button" onClick={() => onRun(command)}>
              {command === 'text' ? 'Transaction as Text' : commandTitles[command]}
            </button>
          ))}
        </p>
      ) : null}
      {node?.difference === undefined ? null : (
        <Differences difference={node.difference} sides={page.sides} />
      )}
      {isWhole
        ? details.sections.map((section) => (
            <Section key={section.title} title={section.title}>
              <dl>
                {section.rows.map((row, index) => (
                  <Fact key={`${row.label} ${index}`} row={row} onRun={onRun} onAccount={onAccount} />
                ))}
              </dl>
            </Section>
          ))
        : null}
    </aside>
  );
}

/** The line that threw has no button where a row leads to it. */
function buttonsOf({ commands, sections }: PageDetails): PageCommand[] {
  const isLinked = sections.some(({ rows }) => rows.some(({ command }) => command === 'line'));
  return commands.filter((command) => command !== 'line' || !isLinked);
}

/** What differs from the other trace, above the details of the one that is shown. */
function Differences({
  difference: { kind, words, changes },
  sides,
}: {
  difference: NodeDifference;
  sides: TracePage['sides'];
}): JSX.Element {
  const [left, right] = sides ?? ['before', 'after'];
  return kind === 'changed' ? (
    <Section title={`What differs: ${left} → ${right}`}>
      <dl>
        {changes.map(({ what, from, to }, index) => (
          <Fact key={index} row={{ label: what, text: `${from} → ${to}`, tone: 'changed' }} />
        ))}
      </dl>
      <p class="facts shown-side">{`Below: ${right}.`}</p>
    </Section>
  ) : (
    <p class={kind === 'same' ? 'facts' : 'changed'}>{`This is ${words}.`}</p>
  );
}

function Section({ title, children }: { title: string; children: JSX.Element | JSX.Element[] }): JSX.Element {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Fact({
  row: { label, text, tone, command, account },
  onRun,
  onAccount,
}: { row: DetailRow } & Partial<Pick<DetailsPaneProperties, 'onRun' | 'onAccount'>>): JSX.Element {
  const action =
    command !== undefined
      ? () => onRun?.(command)
      : account !== undefined
        ? () => onAccount?.(account)
        : undefined;
  return (
    <>
      <dt>
        {label.split(/(?<=_)/).map((part, index) => (
          <span key={index}>
            {part}
            <wbr />
          </span>
        ))}
      </dt>
      <dd class={tone ?? ''}>
        {action === undefined ? (
          unbroken(text)
        ) : (
          <button type="button" class="link" onClick={action}>
            {unbroken(text)}
          </button>
        )}
      </dd>
    </>
  );
}
