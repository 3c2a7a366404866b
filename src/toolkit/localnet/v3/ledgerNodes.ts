import { Cell } from '@ton/core';
import type { ActionEvent, ActionFacts, ActionNode } from '../../actions/actionNode';
import { opcodeIn } from '../../actions/transfers';
import type { LightCell } from '../../cell/light/lightCell';
import { writeLightCell } from '../../cell/light/lightCell';
import { loadAnyTransaction } from '../../cell/loadFolded';
import type { TransactionRecord } from '../records/records';
import type { Tokens } from '../tokens/tokenIndex';

/** A message that a transaction received, as read from the transaction. */
export interface Step {
  /** The body as it is. */
  cell: LightCell;
  value: bigint;
  init: boolean;
  aborted: boolean;
}

/** The transactions of a trace as the matchers of actions see them, in their order. */
export function ledgerNodes(
  order: readonly TransactionRecord[],
  steps: ReadonlyMap<TransactionRecord, Step | undefined>,
): LedgerNode[] {
  const nodes = new Map<TransactionRecord, LedgerNode>();
  for (const transaction of order) {
    nodes.set(transaction, new LedgerNode(transaction, steps.get(transaction)));
  }
  for (const node of nodes.values()) {
    for (const { consumer } of node.transaction.outMessages) {
      const child = consumer === null ? undefined : nodes.get(consumer);
      if (child !== undefined) {
        child.parent = node;
        node.children.push(child);
      }
    }
  }
  return [...nodes.values()];
}

export class LedgerNode implements ActionNode {
  parent: LedgerNode | undefined;
  readonly children: LedgerNode[] = [];
  #events: ActionEvent[] | undefined;
  readonly data = undefined;
  readonly exitCode = undefined;
  #body: Cell | undefined;

  /** @param step undefined without a message, and for one that only bounced back */
  constructor(
    readonly transaction: TransactionRecord,
    private readonly step: Step | undefined,
  ) {}

  get account(): string {
    return this.transaction.account.address;
  }

  get source(): string | undefined {
    const { inMessage } = this.transaction;
    return inMessage?.kind === 'internal' ? (inMessage.source ?? undefined) : undefined;
  }

  get value(): bigint {
    return this.step?.value ?? 0n;
  }

  get opcode(): number | undefined {
    return this.transaction.inMessage?.opcode ?? undefined;
  }

  get body(): Cell | undefined {
    const cell = this.step?.cell;
    const isEmpty = cell === undefined || (cell.bitLength === 0 && cell.refs.length === 0 && !cell.exotic);
    if (this.#body === undefined && !isEmpty) {
      this.#body = Cell.fromBoc(writeLightCell(cell))[0];
    }
    return this.#body;
  }

  get events(): readonly ActionEvent[] {
    const hasEvents = this.transaction.outMessages.some(({ kind }) => kind === 'external-out');
    this.#events ??= hasEvents ? eventsIn(this.transaction.boc) : [];
    return this.#events;
  }

  get isBounced(): boolean {
    return this.step === undefined;
  }

  get hasSentNothing(): boolean {
    return this.transaction.outMessages.length === 0;
  }

  get isDone(): boolean {
    return this.step?.aborted === false;
  }

  get isDeploy(): boolean {
    const { before, after } = this.transaction;
    return this.step?.init === true && before?.codeHash == null && after.codeHash !== null;
  }
}

function eventsIn(boc: Buffer): ActionEvent[] {
  const { outMessages } = loadAnyTransaction(Cell.fromBoc(boc)[0] as Cell);
  return outMessages
    .values()
    .filter(({ info }) => info.type === 'external-out')
    .map(({ body }) => ({ body, opcode: opcodeIn(body) }));
}

/** What the local network knows of accounts by their get-methods. */
export function ledgerFacts(tokens: Tokens): ActionFacts {
  return {
    jettonWallet: (account) => {
      const token = tokens.known(account);
      return token?.kind === 'jetton-wallet'
        ? { owner: token.owner ?? undefined, master: token.jetton ?? undefined }
        : undefined;
    },
    jettonsOf: (owner) =>
      [...tokens.related(owner)].flatMap((account) => {
        const token = tokens.known(account);
        return token?.kind === 'jetton-wallet' && token.owner === owner && token.jetton !== null
          ? [token.jetton]
          : [];
      }),
    nftItem: (account) => {
      const token = tokens.known(account);
      return token?.kind === 'nft-item'
        ? {
            collection: token.collection ?? undefined,
            index: token.index ?? undefined,
            owner: token.owner ?? undefined,
          }
        : undefined;
    },
  };
}
