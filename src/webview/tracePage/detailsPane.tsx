import type { JSX } from 'preact';
import type {
  DetailRow,
  NodeDifference,
  PageCommand,
  PageDetails,
  PageAnswer,
  PageStep,
  TracePage,
} from '../../protocol/tracePage';
import { failedOutcome } from '../../protocol/tracePage';
import { accountOf, unbroken } from './pageText';
import type { NoStep } from './stepSlider';
import type { AskedOrigin } from './originHops';
import { askedOf } from './originHops';
import { StepSlider, Term, Value } from './stepSlider';

/** What buttons and links say. */
const commandTitles: Record<PageCommand, string> = {
  send: 'Send…',
  text: 'Text',
  line: 'Line That Threw',
  debug: 'Debug',
  replay: 'Replay…',
  replayWithChanges: 'Replay With Changes…',
  keepAsTest: 'Keep as Test',
  sendAgain: 'Send Again With Changes…',
  undo: 'Undo Send Again',
  compare: 'Compare…',
  steps: 'Steps',
  account: 'Account',
  source: 'Source',
  keepOrder: 'Keep as a Sheet',
  save: 'Save',
};

interface DetailsPaneProperties {
  page: TracePage;
  selected: number;
  /** Undefined until the editor has sent them. */
  details: PageDetails | undefined;
  /** The step that is shown of a transaction, or why none is. */
  step: PageStep | NoStep | undefined;
  /** Where a value comes from that was asked about last; without hops, while it is followed. */
  origin: PageAnswer | AskedOrigin | undefined;
  onRun: (command: PageCommand) => void;
  onAccount: (account: string) => void;
  /** Asks where a value comes from: one before a step, or one of the transaction itself. */
  onAsk: (question: string, step?: number) => void;
}

/** Everything about the transaction that is selected. */
export function DetailsPane({
  page,
  selected,
  details,
  step,
  origin: asked,
  onRun,
  onAccount,
  onAsk,
}: DetailsPaneProperties): JSX.Element {
  const node = page.nodes[selected];
  const isWhole = details !== undefined && details.node === selected;
  const title = isWhole ? details.title : accountOf(page, node).name;
  const commands = isWhole ? buttonsOf(details) : [];
  const origin = asked?.node === selected ? asked : undefined;
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
      {canStep(page, selected, isWhole ? details : undefined) ? (
        <StepSlider
          key={selected}
          node={selected}
          step={step?.node === selected ? step : undefined}
          {...{ origin, onAsk }}
        />
      ) : null}
      {isWhole
        ? details.sections.map((section) => (
            <Section key={section.title} title={section.title}>
              <dl>
                {section.rows.map((row, index) => (
                  <Fact key={`${row.label} ${index}`} {...{ row, origin, onRun, onAccount, onAsk }} />
                ))}
              </dl>
            </Section>
          ))
        : null}
    </aside>
  );
}

/** Whether the steps of a transaction can be had: it is run again, or is that of a replay. */
function canStep({ nodes, commands }: TracePage, node: number, details: PageDetails | undefined): boolean {
  const known = details?.commands.includes('steps') === true || commands.includes('steps');
  return known && nodes[node]?.hash !== '';
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
  row: { label, text, tone, command, account, question },
  origin,
  onRun,
  onAccount,
  onAsk,
}: { row: DetailRow } & Partial<
  Pick<DetailsPaneProperties, 'origin' | 'onRun' | 'onAccount' | 'onAsk'>
>): JSX.Element {
  const action =
    command !== undefined
      ? () => onRun?.(command)
      : account !== undefined
        ? () => onAccount?.(account)
        : undefined;
  if (action === undefined && question !== undefined && onAsk !== undefined) {
    const asked = askedOf(origin, question);
    return <Value {...{ name: label, text, tone }} origin={asked} onAsk={() => onAsk(question)} />;
  }
  return (
    <>
      <Term name={label} />
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

/** What did not happen never looks like what did. */
const kinds: Record<TracePage['kind'], string> = {
  happened: '',
  rehearsal: 'Rehearsal, nothing was sent',
  replay: 'Replay with changes: this did not happen',
  undone: 'Undone by a restore',
  comparison: 'Comparison',
  test: 'Ran in a test, on no network',
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
    case 'test':
    case 'undone':
      return 'Show the failed transaction';
  }
}

/** The line that threw is one of a transaction; all else is about the trace. */
function verdictNode(command: PageCommand, node: number): number {
  return command === 'line' ? node : -1;
}
