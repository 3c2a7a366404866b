import * as vscode from 'vscode';
import { methodNamed } from '../../toolkit/abi/methodNamed';
import { sourceLanguage } from '../../toolkit/abi/sourceReadings';
import { textHash } from '../../toolkit/build/textHash';
import { methodKey } from '../../toolkit/gas/gasKeys';
import { isSuccess } from '../../toolkit/getMethods/getMethodResult';
import { LastAnswers } from '../../toolkit/getMethods/lastAnswers';
import type { LastAnswer } from '../../toolkit/getMethods/lastAnswers';
import type { SummaryPart } from '../../toolkit/getMethods/summaryText';
import type { ContractAnswer } from '../../toolkit/workflows/callContract';
import { perWindow } from '../networks/perWindow';
import { currentText } from '../ui/openDocument';
import { gasFigures } from './gasFigures';
import type { Services } from '../services';
import type { CompleteCall } from './recentCalls';

/** A call, and its answer in a few words. */
interface AnsweredCall extends Pick<CompleteCall, 'stack' | 'texts'> {
  summary: readonly SummaryPart[];
  /** Whether the user ran this call. */
  isAsked: boolean;
}

/**
 * The last answers of get-methods of the workspace's contracts, for the lenses in their sources. Kept for the
 * session.
 */
class SourceAnswers {
  readonly #services: Services;
  readonly #answers = new LastAnswers();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(services: Services) {
    this.#services = services;
    services.context.subscriptions.push(this.#changed);
  }

  /** Keeps an answer if the workspace knows its contract. */
  async note(
    { result, description }: Pick<ContractAnswer, 'result' | 'description'>,
    { stack, texts, summary, isAsked }: AnsweredCall,
  ): Promise<void> {
    const { name: contract, file, codeHash } = description ?? {};
    if (contract === undefined) {
      return;
    }
    const method = methodNamed(description, result.method)?.name ?? result.method;
    const hasChanged = this.#answers.note({
      contract,
      method,
      network: result.network,
      address: result.address,
      stack,
      ...(texts === undefined ? {} : { typed: texts.join(', ') }),
      answer: summary,
      failed: !isSuccess(result),
      gas: result.gasUsed,
      block: result.block,
      at: Date.now(),
      codeHash,
      source: await this.#sourceNow(file),
      isAsked,
    });
    if (result.gasUsed !== null && isSuccess(result)) {
      const last = this.#answers.of(contract, method);
      const typed = texts?.join(', ') ?? (last?.stack === stack ? last.typed : undefined);
      gasFigures(this.#services).note(methodKey(contract, method, typed ?? stack), result.gasUsed);
    }
    if (hasChanged) {
      this.#changed.fire();
    }
  }

  of(contract: string, method: string): LastAnswer | undefined {
    return this.#answers.of(contract, method);
  }

  ofContract(contract: string): LastAnswer[] {
    return this.#answers.ofContract(contract);
  }

  forget(answer: LastAnswer): void {
    if (this.#answers.forget(answer)) {
      this.#changed.fire();
    }
  }

  /** A source and the hash of its current text, to detect later edits. */
  async #sourceNow(file: string | undefined): Promise<LastAnswer['source']> {
    const uri = file === undefined ? undefined : this.#services.project.uriOf(file);
    if (file === undefined || uri === undefined || sourceLanguage(file) === undefined) {
      return undefined;
    }
    try {
      return { file, hash: textHash(await currentText(uri), file) };
    } catch (error) {
      this.#services.log.debug(`${file} cannot be read: ${String(error)}`);
      return undefined;
    }
  }
}

/** This window's answers. */
export const sourceAnswers = perWindow((services: Services) => new SourceAnswers(services));
