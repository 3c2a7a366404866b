/** What commands are given by menus, lenses, keybindings, and links: rows of views, and parts of documents. */

/** A get-method call as passed by commands, lenses, and menus; missing parts are asked for. */
export interface GetMethodRequest {
  /** Name of the network; default: the current one. */
  network?: string;
  /** Any usual form of an address, or the name of a known account. */
  address?: string;
  method?: string;
  /** Stack text; `''` is an empty stack, undefined asks. */
  stack?: string;
  /** Opens the result beside the editor, which keeps the focus. */
  beside?: boolean;
}

/** A call of a get-method that was answered, as passed by the lens of its answer. */
export interface RanGetMethod {
  /** Name of the network. */
  network: string;
  /** Any usual form. */
  address: string;
  method: string;
  /** Stack text that can be read without a signature. */
  stack: string;
  /** Seqno of the masterchain block at which it ran, if the network said so. */
  block?: number;
}

/** A workspace contract. */
interface ContractTarget {
  /** The contract's name: from the source, else the file's name. */
  contract: string;
  /** The deployed instance, raw; asked for when absent. */
  address?: string;
  /** The source that the lens is in, as text of a URI. */
  file?: string;
}

/** A get-method of a workspace contract, as passed by the lens above it. */
export interface RunTarget extends ContractTarget {
  method: string;
}

/** A message of a workspace contract, as passed by the lens above its struct or by its row. */
export interface MessageTarget extends ContractTarget {
  /** Name of the struct. */
  message: string;
}

/** Deployed contracts and the source of their code, as passed by the source's lens. */
export interface CodeTarget {
  /** The source, as text of a URI. */
  file: string;
  /** Raw; asked for if there are several. */
  addresses: readonly string[];
}

/** A test webhook as passed by buttons and lenses; missing parts are asked for. */
export interface TestWebhook {
  /** Name of the scenario. */
  scenario?: string;
  /** The receiver's URL. */
  url?: string;
  /** Reference of the order that it pays: sent to this window's listener, without questions. */
  order?: string;
}

/** A trace of the list, as passed by rows and lenses. */
export interface TraceRef {
  key: string;
}

/** A transaction of a trace of the list. */
export interface TransactionRef extends TraceRef {
  /** Position in the trace, depth first. */
  index: number;
}

/** A row of the view "Traces" that is a transaction. */
export interface TransactionRow {
  trace: TraceRef;
  node: {
    /** Position in the trace, depth first. */
    index: number;
  };
}

/** A replay of this window, as passed by the lenses of its document. */
export interface ReplayRef {
  replay: string;
}

/** A return of the local network to an earlier block, as passed by the lens of its document. */
export interface UndoRef {
  /** As the control command `restore` has named it. */
  undo: number;
  /** The block that the network went back to. */
  seqno: number;
}

/** A record of a test, as passed by lenses and messages. */
export interface TestRecordRef {
  /** Path of the recording. */
  recording: string;
  /** Its number in it, from 1. */
  record: number;
}

/** A test of the Test Explorer, as its menus pass it. */
export interface TestRow {
  id: string;
}

/** A message of a failed test, as its menus pass it. */
export interface TestMessageRow {
  test: TestRow;
}

/** What of a test is meant; without one, the cursor decides. */
export type TestTarget = TestRecordRef | TestRow | TestMessageRow;

/** What to replay: the hash of a transaction or its message, a transaction, or one of a trace's. */
export type ReplayTarget = string | ReplayRef | TransactionRow | TransactionRef | TraceRef;

/** An execution: of a transaction, or of a get-method. */
export type ExecutionTarget = ReplayTarget | RanGetMethod;

/** A trace of the list to copy, and the format. */
export interface TraceCopy extends TraceRef {
  as: 'mermaid' | 'json';
}

/** An inspected BoC, as a whole. */
export interface BocTarget {
  /** Path of its document. */
  key: string;
}

/** An endpoint call as passed by lenses. */
export interface EndpointCall {
  /** `v3 traces`; asked for when absent. */
  endpoint?: string;
  /** What to send; asked for when absent. */
  parameters?: Record<string, unknown>;
  /** Ask again, with `parameters` filled in. */
  edit?: boolean;
}

/** An answer of the API explorer that is open as a document. */
export interface AnswerRef {
  /** The document's path, without a leading slash. */
  document: string;
  /** Name of the network that returned it. */
  network: string;
}

/** An endpoint call to copy. */
export interface EndpointSnippet {
  endpoint: string;
  parameters: Record<string, unknown>;
  as: 'curl' | 'typescript';
}

/** A step of an open call sheet, as passed by its lenses; if absent, the cursor decides. */
export interface CallSheetRef {
  /** The sheet's URI. */
  uri: string;
  /** The call's text, expectations included. */
  call: string;
}

/** A row, in any view, that represents an account. */
export interface AccountRow {
  account: {
    /** Raw, `wc:hex`. */
    address: string;
  };
}

/** An account, and what a lens in its document requests. */
export interface AccountRequest extends AccountRow {
  /** A further section of the document to load. */
  section?: string;
  /** The sections to load again. */
  sections?: readonly string[];
}

/** A row of the view "Contracts" that is a contract or part of one. */
export interface ContractRow {
  pin: {
    /** Name of the network. */
    network: string;
    /** Raw, `wc:hex`. */
    address: string;
  };
}

/** A row of the view "Contracts" that is a get-method. */
export interface MethodRow extends ContractRow {
  method: {
    name: string;
    /** Name of the network. */
    signature?: { parameters: readonly object[] } | undefined;
  };
}

/** A row of the view "Contracts" that is a message. */
export interface MessageRow {
  target: MessageTarget;
}

/** A row of the view "Contracts" that has a source. */
export interface SourceRow extends ContractRow {
  /** The contract of the workspace. */
  contract?: string | undefined;
  method?: { name: string } | undefined;
  target?: MessageTarget | undefined;
}

/** A row of the view "Traces" that is a trace or part of one. */
export interface TraceRow {
  key: string;
  /** Hash of the root transaction, lowercase hex; undefined if not known yet. */
  id?: string | undefined;
}

/** A row of the view "Webhooks". */
export interface WebhookRow {
  label: string;
  /** The text to copy. */
  value?: string | undefined;
  /** The delivery of the row. */
  delivery?: { id: string } | undefined;
  /** The order of the row, and the delivery that paid for it. */
  order?: { deliveryId: string | null; reference?: string | undefined } | undefined;
}

/** A request to the test wallet that waits for a decision. */
export interface WalletRequestRow {
  request: { number: number };
  /** Asked for if missing. */
  decision?: string;
}

/** A payment of the payment API. */
export interface PaymentRow {
  payment: { reference: string };
}

/** A row of a dApp that is connected to the test wallet. */
export interface DAppRow {
  dApp: {
    /** The wallet's client id in the session. */
    session: string;
  };
}

/** The row of a message that made the emulator fail. */
export interface FailedMessageRow {
  failed: {
    /** Lowercase hex. */
    hash: string;
  };
}

/** What of an account of the local network is changed; `send`: a message in its name, without a signature. */
export type AccountEdit = 'balance' | 'code' | 'data' | 'send';

/** What the local network does next. */
export type ChainChange = 'mine' | 'time' | 'mode';

/** What is done with a webhook secret. */
export type SecretChange = 'add' | 'replace' | 'remove' | 'copy';

/** How a cell is copied. */
export type CellForm = 'boc' | 'hex';

/** What of a payment is copied. */
export type PaymentPart = 'reference' | 'bodyHash';

/** A line of an editor, as the menu beside it gives it. */
export interface EditorLine {
  /** From 1. */
  lineNumber: number;
  uri: { scheme: string; path: string; fsPath: string };
}

/** A step of an execution in a debug session of this window. */
export interface HitRef {
  /** Its id. */
  session: string;
  /** Index of the execution. */
  thread: number;
  step: number;
}

/** A row of the variables of a debug session. */
export interface ShownVariable {
  variable: { name: string; evaluateName?: string | undefined };
  /** What it is in. */
  container?: { name?: string | undefined; evaluateName?: string | undefined } | undefined;
}
