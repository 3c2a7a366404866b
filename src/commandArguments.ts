/** An endpoint call as lenses pass it on. */
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
  /** Name of the network that gave it. */
  network: string;
}

/** An endpoint call to copy. */
export interface EndpointSnippet {
  endpoint: string;
  parameters: Record<string, unknown>;
  as: 'curl' | 'typescript';
}

/** A call of an open call sheet, as its lenses pass it on; without one the cursor decides. */
export interface CallSheetRef {
  /** The sheet's URI. */
  uri: string;
  /** What the call says, its expectations included. */
  call: string;
}
