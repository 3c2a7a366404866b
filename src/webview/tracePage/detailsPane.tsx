import type { JSX } from 'preact';
import { failedOutcome } from '../../protocol/tracePage';
import type { DetailRow, PageCommand, PageDetails, TracePage } from '../../protocol/tracePage';
import { accountOf, unbroken } from './pageText';

/** What buttons and links say. */
export const commandTitles: Record<PageCommand, string> = {
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
  const differences = node?.difference?.texts ?? [];
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
      {node?.difference === undefined || node.difference.kind === 'same' ? null : (
        <Section title={`Compared: ${node.difference.kind}`}>
          {differences.map((text) => (
            <p key={text} class="changed">
              {text}
            </p>
          ))}
        </Section>
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
}: { row: DetailRow } & Pick<DetailsPaneProperties, 'onRun' | 'onAccount'>): JSX.Element {
  const action =
    command !== undefined
      ? () => onRun(command)
      : account !== undefined
        ? () => onAccount(account)
        : undefined;
  return (
    <>
      <dt>{label}</dt>
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
