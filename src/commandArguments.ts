import type { Uri } from 'vscode';

/**
 * Every command with its arguments and their types. Arguments from menus, lenses, keybindings, and links are checked
 * against this table when a command runs: see src/editor/ui/readArguments.ts.
 */

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

/**
 * Deployed contracts of the local network whose source now compiles to different code, as passed by the
 * source's lens.
 */
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
  order?: { deliveryId: string | null } | undefined;
}

/** The row of a message that made the emulator fail. */
export interface FailedMessageRow {
  failed: {
    /** Lowercase hex. */
    hash: string;
  };
}

/** Commands with their arguments; missing optional ones are asked for, or taken from the cursor. */
export interface CommandArguments {
  'tonWorkbench.runGetMethod': [call?: GetMethodRequest];
  'tonWorkbench.newCallSheet': [];
  /** The sheet in the active editor. */
  'tonWorkbench.runCallSheet': [];
  'tonWorkbench.runSheetCall': [ref?: CallSheetRef];
  'tonWorkbench.debugSheetStep': [ref?: CallSheetRef];
  'tonWorkbench.watchSheetCall': [ref?: CallSheetRef];
  'tonWorkbench.stopSheetWatch': [ref?: CallSheetRef];
  'tonWorkbench.copySheetCall': [ref?: CallSheetRef];
  'tonWorkbench.compareSheetCall': [ref?: CallSheetRef];
  'tonWorkbench.callEndpoint': [call?: EndpointCall];
  'tonWorkbench.copyEndpointCall': [snippet: EndpointSnippet];
  'tonWorkbench.openTrace': [query?: string];
  'tonWorkbench.openTraceFile': [];
  'tonWorkbench.openAnswerTraces': [answer: AnswerRef];
  'tonWorkbench.recentTraces': [row?: AccountRow];
  'tonWorkbench.followTrace': [hash?: string];
  'tonWorkbench.stopFollowing': [];
  'tonWorkbench.showTrace': [ref: TraceRef];
  /** A row's click passes true: the page is shown in the tab that all rows share. */
  'tonWorkbench.showTracePage': [ref: Exclude<ReplayTarget, string>, isPassing?: boolean];
  'tonWorkbench.showTransaction': [ref: TransactionRef | TransactionRow];
  'tonWorkbench.saveTrace': [ref: TraceRef];
  'tonWorkbench.copyTrace': [ref: TraceCopy];
  'tonWorkbench.removeTrace': [row: TraceRef];
  'tonWorkbench.clearTraces': [];
  'tonWorkbench.moreTraces': [after?: TraceRef];
  /** The other trace is asked for if there is none. */
  'tonWorkbench.compareTraces': [row?: TraceRef, other?: TraceRef];
  'tonWorkbench.replayTransaction': [what?: ReplayTarget];
  'tonWorkbench.replayWithChanges': [what?: ReplayTarget];
  'tonWorkbench.sendAgain': [what?: ReplayTarget];
  /** Which of the window's returns to undo; without one, the last. */
  'tonWorkbench.undoSendAgain': [which?: UndoRef];
  'tonWorkbench.saveReplay': [what?: ReplayTarget];
  /** A file of the explorer, or its URI as text. */
  'tonWorkbench.openReplay': [file?: string | Uri];
  'tonWorkbench.showReplaySteps': [what?: ReplayTarget];
  'tonWorkbench.showMethodSteps': [call: RanGetMethod];
  'tonWorkbench.goToThrow': [what?: ReplayTarget];
  /** Without an execution, or with a source: the last runs of the contract in the editor. */
  'tonWorkbench.showGas': [what?: ExecutionTarget | Uri];
  /** Without an execution: that of the document, or one of the last runs of the contract in the editor. */
  'tonWorkbench.debug': [what?: ExecutionTarget | Uri];
  /** The last run of a method or message; if there is none, it is run or rehearsed first. */
  'tonWorkbench.debugDeclared': [target: RunTarget | MessageTarget | MessageRow];
  /** Of the execution that is chosen in the call stack. */
  'tonWorkbench.runAgainWithChanges': [];
  'tonWorkbench.hideGas': [];
  'tonWorkbench.compareGas': [];
  'tonWorkbench.openFlameChart': [what?: ExecutionTarget | Uri];
  /** The URI of a file with a mark; without one, all marks. */
  'tonWorkbench.dismissThrow': [uri?: string];
  /** A raw address, a row, or a source. */
  'tonWorkbench.showCoverage': [what?: string | Uri | AccountRow];
  'tonWorkbench.filterTraces': [];
  'tonWorkbench.clearTraceFilter': [];
  /** An address in any form, a row, or a request from a lens of an account's document. */
  'tonWorkbench.openAccount': [account?: string | AccountRequest];
  /** A BoC's text, or a file of the explorer. */
  'tonWorkbench.sendBoc': [boc?: string | Uri];
  /** One line of text, or the row of the recipient account. */
  'tonWorkbench.composeMessage': [given?: string | AccountRow];
  /** A BoC's text, a file's URI as text, or a file of the explorer. */
  'tonWorkbench.inspectBoc': [boc?: string | Uri];
  /** Lenses pass the BoC; otherwise the cursor's line decides, here and below. */
  'tonWorkbench.inspectCell': [target?: BocTarget];
  'tonWorkbench.copyCellAsBoc': [target?: BocTarget];
  'tonWorkbench.copyCellAsHex': [target?: BocTarget];
  'tonWorkbench.compareBoc': [target?: BocTarget];
  'tonWorkbench.disassembleCell': [target?: BocTarget];
  'tonWorkbench.readCellAs': [target?: BocTarget];
  'tonWorkbench.findInBoc': [target?: BocTarget];
  'tonWorkbench.switchNetwork': [];
  'tonWorkbench.addNetwork': [];
  'tonWorkbench.setApiKey': [];
  'tonWorkbench.testApiKey': [];
  'tonWorkbench.removeApiKey': [];
  'tonWorkbench.startLocalNetwork': [];
  'tonWorkbench.stopLocalNetwork': [];
  'tonWorkbench.copyLocalNetworkUrl': [];
  'tonWorkbench.localFaucet': [row?: AccountRow];
  'tonWorkbench.localSetBalance': [row?: AccountRow];
  'tonWorkbench.localSetCode': [row?: AccountRow];
  'tonWorkbench.localSetData': [row?: AccountRow];
  'tonWorkbench.setCodeFromSource': [target: CodeTarget];
  /** The row of the account to send from. */
  'tonWorkbench.localSendAs': [row?: AccountRow];
  'tonWorkbench.localImportConfig': [];
  'tonWorkbench.localFork': [];
  'tonWorkbench.localLeaveFork': [];
  /** true: includes the editor's own requests. */
  'tonWorkbench.localRequests': [all?: boolean];
  /** Number of a recorded request. */
  'tonWorkbench.localReplay': [id?: number];
  /** Without a row, all messages on which the emulator failed. */
  'tonWorkbench.localRetryMessage': [row?: FailedMessageRow];
  'tonWorkbench.localDropMessage': [row: FailedMessageRow];
  'tonWorkbench.localMine': [];
  'tonWorkbench.localMoveTime': [];
  'tonWorkbench.localBlockMode': [];
  'tonWorkbench.localSnapshot': [];
  'tonWorkbench.localRestore': [];
  'tonWorkbench.localRewind': [row: TraceRow];
  'tonWorkbench.localReset': [];
  /** A file of the explorer. */
  'tonWorkbench.localDeploy': [file?: Uri];
  'tonWorkbench.copyAddress': [row: AccountRow];
  'tonWorkbench.runGetMethodOn': [row?: AccountRow];
  'tonWorkbench.callHistory': [];
  'tonWorkbench.saveGasBaseline': [];
  'tonWorkbench.clearGasBaseline': [];
  'tonWorkbench.copyCall': [call?: GetMethodRequest | MethodRow];
  /** An address in any form, or a row. */
  'tonWorkbench.pinContract': [contract?: string | AccountRow];
  'tonWorkbench.renameContract': [row: ContractRow];
  'tonWorkbench.removeContract': [row: ContractRow];
  'tonWorkbench.chooseContractSource': [row?: AccountRow];
  /** If there are sections, the account's document is shown again. */
  'tonWorkbench.forgetContractSource': [account: AccountRequest];
  'tonWorkbench.refreshContracts': [];
  'tonWorkbench.runPinnedMethod': [row: MethodRow];
  'tonWorkbench.askPinnedMethod': [row: MethodRow];
  'tonWorkbench.goToSource': [row: SourceRow];
  'tonWorkbench.watchCall': [call: MethodRow | GetMethodRequest];
  'tonWorkbench.unwatchCall': [row: MethodRow];
  'tonWorkbench.stopWatching': [];
  'tonWorkbench.runOnContract': [target: RunTarget];
  'tonWorkbench.sendMessage': [target: MessageTarget | MessageRow];
  'tonWorkbench.showLog': [];
  'tonWorkbench.startWebhooks': [];
  'tonWorkbench.stopWebhooks': [];
  'tonWorkbench.copyWebhookUrl': [];
  'tonWorkbench.allowWebhookHost': [];
  'tonWorkbench.addWebhookSecret': [];
  'tonWorkbench.rotateWebhookSecret': [];
  'tonWorkbench.removeWebhookSecret': [];
  'tonWorkbench.newOrdersFile': [];
  'tonWorkbench.forwardWebhooks': [];
  'tonWorkbench.sendTestWebhook': [test?: TestWebhook];
  'tonWorkbench.checkWebhookEndpoint': [url?: string];
  /** A delivery's id or its row, here and below. */
  'tonWorkbench.openDelivery': [delivery: string | WebhookRow];
  'tonWorkbench.resendDelivery': [delivery: string | WebhookRow];
  'tonWorkbench.resendDeliveryTo': [delivery: string | WebhookRow];
  'tonWorkbench.editDelivery': [delivery: string | WebhookRow];
  /** URI of the edited document; default: the active one. */
  'tonWorkbench.sendEditedDelivery': [document?: string, askWhereTo?: boolean];
  'tonWorkbench.cancelEditedDelivery': [document?: string];
  'tonWorkbench.copyDeliveryAsCurl': [delivery: string | WebhookRow];
  'tonWorkbench.copyDeliveryValue': [row: WebhookRow];
  'tonWorkbench.checkDeliveryOnChain': [delivery: string | WebhookRow];
  'tonWorkbench.debugDelivery': [delivery: string | WebhookRow];
  'tonWorkbench.searchDeliveries': [];
  'tonWorkbench.filterDeliveries': [];
  'tonWorkbench.clearDeliveryFilter': [];
  'tonWorkbench.clearDeliveries': [];
  'tonWorkbench.exportDeliveries': [];
  'tonWorkbench.showOlderDeliveries': [];
  /** The selected row of a view, here and below: see LazyTree. */
  'tonWorkbench.openContractsRow': [];
  'tonWorkbench.openTracesRow': [];
  'tonWorkbench.openWebhooksRow': [];
  'tonWorkbench.openLocalNetworkRow': [];
}

export type CommandId = keyof CommandArguments;
