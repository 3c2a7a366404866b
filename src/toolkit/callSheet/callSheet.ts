/** A part of the text, in UTF-16 code units. */
export interface Place {
  offset: number;
  length: number;
}

/** An error in the text. */
export interface CallSheetProblem extends Place {
  /** A whole sentence. */
  message: string;
  /** The fix: a whole sentence. */
  suggestion?: string | undefined;
  /**
   * The value was read without names and types; once they are known, it may turn out valid or get a better
   * message.
   */
  isUntyped?: true;
}

/** A piece of text and its position. */
export interface PlacedText extends Place {
  text: string;
}

/** `target method(arguments)`. */
export interface MethodCall extends Place {
  target: PlacedText;
  method: PlacedText;
  /** The text between the brackets. */
  arguments: PlacedText;
}

/** One step into an answer: `.count`, `.0` (of a tuple), `[bob]` (of a map). */
export type PathPart = { kind: 'name' | 'key'; at: PlacedText };

/** A part of another call's answer: `vault info().limits.perTransfer`. */
export interface AnswerPart {
  call: MethodCall;
  /** Empty: the whole answer. */
  path: PathPart[];
}

/** `@name = value`: stack text of one value, most often an address; or a part of an answer. */
export interface SheetVariable {
  name: PlacedText;
  value: PlacedText;
  /** The value is read from this answer when the run gets here. */
  answer?: AnswerPart;
}

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** What an expectation is about. */
export type ExpectedSubject =
  | { kind: 'exit' | 'gas' }
  /** `expect fails`: has neither a comparison nor a value. */
  | { kind: 'fails' }
  /** An entry of the call's stack by its number; `1.0` is inside a tuple. */
  | { kind: 'entry'; path: number[] }
  /** A field of the call's own answer. */
  | { kind: 'field'; path: PathPart[] }
  /** Another call's answer. */
  | ({ kind: 'answer' } & AnswerPart);

/** `expect exit 0`, `expect gas < 5000`, `expect 0 == 42`, `expect count == 1`, `expect vault info().count == 1`. */
export interface Expectation extends Place {
  subject: ExpectedSubject;
  comparison: Comparison;
  /** One value, of the type that it is compared with; for exit codes also their names. */
  value: PlacedText;
}

/** What all steps have in common. */
interface StepBase extends Place {
  /** The text after `###`, or what the step does. */
  title: string;
  /** The line of the step itself, counted from 1. */
  lineNumber: number;
  /** Position of the `###` line, or of the step itself: the place for lenses. */
  header: Place;
  /** Steps below the same `###` line have the same number. */
  scenario: number;
  /** The scenario's title; absent if there is no `###` line. */
  scenarioTitle?: string;
  /** `@network` of this scenario only. */
  network?: PlacedText;
  /** `@restore` of this scenario. */
  restore?: Place;
  expectations: Expectation[];
}

/** A get-method call. */
export interface SheetCall extends StepBase, MethodCall {
  kind: 'call';
}

/** `send …`: a composed message, sent and followed to its end. */
export interface SheetSend extends StepBase {
  kind: 'send';
  /** Without the word `send`. */
  line: PlacedText;
}

/** `deploy FILE {data} as NAME`. */
export interface SheetDeploy extends StepBase {
  kind: 'deploy';
  file: PlacedText;
  /** The fields of the storage, or a cell. */
  data?: PlacedText;
  /** Stack text of coins; default `1ton`. */
  value?: PlacedText;
  name: PlacedText;
  /** The wallet that pays; default: the first one. */
  from?: PlacedText;
}

/** Expectations about answers, with no call or message above them. */
export interface SheetCheck extends StepBase {
  kind: 'check';
}

export type SheetStep = SheetCall | SheetSend | SheetDeploy | SheetCheck;

/** A parsed sheet. */
export interface CallSheet {
  /** `@network` above the first step. */
  network?: PlacedText;
  /** `@restore` above the first step: undo the run's changes to the local network. */
  restore?: Place;
  variables: SheetVariable[];
  /** In the order of the text. */
  steps: SheetStep[];
  /** The steps that call a get-method. */
  calls: SheetCall[];
  problems: CallSheetProblem[];
}
