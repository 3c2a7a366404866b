import { pageCommands } from '../toolkit/trace/page/tracePage';
import type {
  PageCommand,
  PageDetails,
  PageAnswer,
  PageStep,
  TracePage,
} from '../toolkit/trace/page/tracePage';

export { failedOutcome } from '../toolkit/trace/traceModel';
export { formatChange, formatCoins, formatInteger } from '../toolkit/trace/figures';
export { shortCoins } from '../toolkit/trace/figures';
export { nodeChangeText } from '../toolkit/trace/nodeChange';
export type { NodeChange } from '../toolkit/trace/nodeChange';
export type {
  AssetFlows,
  DetailRow,
  MoneyFlow,
  MoneyParty,
  NodeDifference,
  PageAccount,
  PageBlock,
  PageCommand,
  PageDetails,
  PageHop,
  PageNode,
  PageAnswer,
  PageStep,
  TracePage,
} from '../toolkit/trace/page/tracePage';

/** From the editor to the page of a trace. */
export type ToTracePage =
  /** All of it; sent in reply to `ready` and whenever the trace grows or more is known about it. */
  | { type: 'show'; page: TracePage; selected: number | undefined }
  /** Something was selected in another view. */
  | { type: 'select'; node: number }
  /** In reply to `select` and `look`, and again when more is known. */
  | { type: 'details'; details: PageDetails }
  /** In reply to `step`. */
  | { type: 'step'; step: PageStep }
  /** In reply to `step`, if there is none. */
  | { type: 'noStep'; node: number; reason: string }
  /** In reply to `ask`. */
  | { type: 'origin'; origin: PageAnswer };

/** From the page of a trace to the editor. */
export type FromTracePage =
  /** The page is listening and has nothing to show yet. */
  | { type: 'ready' }
  /** The user selected a transaction: so do the other views. */
  | { type: 'select'; node: number }
  /** The page itself shows a transaction: its details are wanted, and nothing else changes. */
  | { type: 'look'; node: number }
  /** The user pressed a button or link; `node` is -1 for the whole trace. */
  | { type: 'run'; command: PageCommand; node: number }
  /**
   * The user moves through the steps of a transaction, which runs again for the first of them. Without a number, it is the
   * one where it failed, else that of its first line.
   */
  | { type: 'step'; node: number; step?: number | undefined }
  /** The user wants to see a step's line in the editor, or to have the debugger there. */
  | { type: 'openStep'; node: number; step: number; in: 'source' | 'debugger' }
  /** The user asks where a value comes from: one before a step, or one of the transaction itself. */
  | { type: 'ask'; node: number; question: string; step?: number | undefined }
  /** The user wants the debugger at a hop of the answer: at a step of an execution. */
  | { type: 'openHop'; node: number; thread: number; step: number }
  /** The user asked for the page of an account (`workchain:hex`). */
  | { type: 'openAccount'; account: string }
  /**
   * The user asked for a file, or to copy it. Pictures are drawn in the page (a PNG is base64); the others are made
   * from the model.
   */
  | { type: 'export'; format: 'svg' | 'png'; text: string }
  | { type: 'export'; format: 'mermaid' | 'json' | 'html' };

/** Fields of fields have long names. */
const longestQuestion = 400;

/** Whether a message from the page is valid: it is untrusted input. */
export function isFromTracePage(value: unknown): value is FromTracePage {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const { type, node, step, question, thread, account, command, format, text, ...others } = value as Record<
    string,
    unknown
  >;
  const isIndex = (index: unknown, least: number): boolean =>
    Number.isInteger(index) && (index as number) >= least;
  const isShort = (one: unknown, most = 80): boolean =>
    typeof one === 'string' && one !== '' && one.length <= most;
  switch (type) {
    case 'ready':
      return true;
    case 'select':
    case 'look':
      return isIndex(node, 0);
    case 'run':
      return isIndex(node, -1) && pageCommands.some((known) => known === command);
    case 'step':
      return isIndex(node, 0) && (step === undefined || isIndex(step, 1));
    case 'openStep':
      return (
        isIndex(node, 0) && isIndex(step, 1) && (others['in'] === 'source' || others['in'] === 'debugger')
      );
    case 'ask':
      return (
        isIndex(node, 0) && isShort(question, longestQuestion) && (step === undefined || isIndex(step, 1))
      );
    case 'openHop':
      return isIndex(node, 0) && isIndex(thread, 0) && isIndex(step, 1);
    case 'openAccount':
      return isShort(account);
    case 'export':
      return format === 'svg' || format === 'png'
        ? typeof text === 'string'
        : format === 'mermaid' || format === 'json' || format === 'html';
    default:
      return false;
  }
}
