import type { ContractRef } from '../../toolkit/contracts/abi/projectContract';
import type { ComposeLineOptions } from '../../toolkit/send/parseComposeLine';
import type { FormAction, FormVerdict } from '../../toolkit/send/fieldForm';
import type { Message, messageWord } from '../../toolkit/contracts/layouts/messagesOfContract';
import type { FieldQuestions } from '../project/fieldQuestions';
import type { LookUp } from '../ui/askText';

/** What the questions need. */
export interface ComposeAsking {
  /** Parses a whole line, or throws the reason. */
  read: (line: string) => unknown;
  options: ComposeLineOptions;
  /** Previously composed lines, newest first. */
  recent: readonly string[];
  /** Already known; the user can go back and change it. */
  destination?: string | undefined;
  /** How titles call it; default: as it is typed. */
  called?: string | undefined;
  /** Already known, as a clause: `as Counter`; then not asked for. */
  sender?: string | undefined;
  /** Already known, with its destination; then there is nothing but its form. */
  message?: Message | undefined;
  /** What a message to `new` deploys. */
  deploys?:
    { contract: ContractRef; clauses: string; value: string; names: ReadonlyMap<string, string> } | undefined;
  /** `Send`: what is done with the message, for titles. */
  verb: string;
  /** The last row of the form. */
  action: FormAction;
  /** What would come of a line; nothing is sent. */
  rehearse(line: string, signal: AbortSignal): Promise<FormVerdict>;
  /** What is known about a sender by its name: `999 999 TON`. */
  noteOf(name: string): string | undefined;
  /** The messages that the contract at an address accepts, by its code. */
  messagesOf(destination: string): Promise<readonly Message[]>;
  /** The questions for a message's fields. */
  fieldsOf(message: Message): Promise<FieldQuestions>;
  word: typeof messageWord;
  /** What a text may need before it can be read. */
  lookUp: LookUp;
}
