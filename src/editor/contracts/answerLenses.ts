import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import type { ProjectContract } from '../../toolkit/contracts/abi/projectContract';
import { textHash } from '../../toolkit/build/textHashes';
import { clockTime } from '../../toolkit/base/text';
import { methodKey } from '../../toolkit/gas/gasKeys';
import { gasWords } from '../../toolkit/gas/gasWords';
import { answerTitle } from '../../toolkit/getMethods/summaryText';
import type { LastAnswer } from '../../toolkit/getMethods/summaryText';
import { accountWord } from '../project/accountName';
import { gasFigures } from '../getMethods/gasFigures';
import { sourceAnswers } from '../getMethods/copyCallCommand';
import type { Services } from '../project/services';
import { plainLensText } from '../ui/plainText';
import { runInBackground } from './watches';
import { FreshAnswers } from './freshAnswers';
import { visibleSources } from './visibleSources';

/** A get-method declared in a source, with its contract. */
interface DeclaredMethod {
  contract: string;
  method: string;
}

/** The lens of an answer. */
export interface AnswerLens {
  /** The contract that answered: raw, lowercase. */
  address: string;
  command: vscode.Command;
}

/**
 * The last answers of get-methods, for the lenses above them. On the local network, answers that the user
 * asked for are kept current while their source is visible; on other networks, nothing runs automatically.
 */
export class AnswerLenses implements vscode.Disposable {
  readonly #services: Services;
  readonly #answers: ReturnType<typeof sourceAnswers>;
  readonly #gas: ReturnType<typeof gasFigures>;
  readonly #fresh: FreshAnswers<LastAnswer>;
  readonly #all: vscode.Disposable;
  /** The get-methods of each source, as its lenses were last shown. */
  readonly #declared = new WeakMap<vscode.TextDocument, readonly DeclaredMethod[]>();

  /** @param onChange called when an answer has changed */
  constructor(services: Services, onChange: () => void) {
    this.#services = services;
    this.#answers = sourceAnswers(services);
    this.#gas = gasFigures(services);
    this.#fresh = new FreshAnswers(services, {
      calls: () => this.#shownLocally(),
      key: ({ address, method, stack }) => `${address} ${method} ${stack}`,
      run: (answer) => this.#runAgain(answer),
      together: (round) => services.pins.together(round),
    });
    const show = (): void => this.#fresh.setVisible(visibleSources().length > 0);
    this.#all = vscode.Disposable.from(
      this.#fresh,
      this.#answers.onDidChange(onChange),
      this.#gas.onDidChange(onChange),
      vscode.window.onDidChangeVisibleTextEditors(show),
    );
    show();
  }

  dispose(): void {
    this.#all.dispose();
  }

  /** The lens for each get-method's answer; a click runs it again and opens the whole answer. */
  async of(
    document: vscode.TextDocument,
    methods: readonly DeclaredMethod[],
    listProject: () => Promise<readonly ProjectContract[]>,
  ): Promise<(AnswerLens | undefined)[]> {
    this.#declared.set(document, methods);
    const answers = methods.map(({ contract, method }) => this.#answers.of(contract, method));
    if (answers.every((answer) => answer === undefined)) {
      return answers.map(() => undefined);
    }
    const text = {
      file: vscode.workspace.asRelativePath(document.uri),
      hash: textHash(document.getText(), document.fileName),
    };
    const project = await listProject();
    const changed = new Set(project.flatMap(({ codeHash, hasChanged }) => (hasChanged && codeHash) || []));
    return answers.map(
      (answer) =>
        answer && {
          address: answer.address,
          command: this.#command(answer, this.#isEdited(answer, text, changed)),
        },
    );
  }

  /**
   * Whether the source has changed since the code that answered was compiled.
   * @param changed hashes of the codes whose sources have changed since they were compiled
   */
  #isEdited(
    { codeHash = '', source }: LastAnswer,
    { file, hash }: { file: string; hash: string },
    changed: ReadonlySet<string>,
  ): boolean {
    const compiled = this.#services.project.compiledFrom(codeHash);
    // If the code was not compiled here, it is assumed to come from the source as it was at the time of the
    // answer.
    return compiled === undefined
      ? source?.file === file && source.hash !== hash
      : changed.has(codeHash) || (compiled.texts?.[file] ?? hash) !== hash;
  }

  #command(answer: LastAnswer, isEdited: boolean): vscode.Command {
    const { network: name, address, method, stack, at, block } = answer;
    const { networks } = this.#services;
    const network = networks.find(name);
    const time = clockTime(at / 1000);
    // The local network's answers are current; they are its own also while another network is chosen.
    const local = networks.local().name;
    const elsewhere = networks.current().name === local ? undefined : name;
    const title = answerTitle(answer, {
      instance: accountWord(this.#services, network)(address),
      elsewhere: name === local ? elsewhere : `${name}, ${time}`,
      cost: this.#cost(answer),
      isEdited,
    });
    return {
      ...asCommand('tonWorkbench.runGetMethod', `$(play) ${plainLensText(title)}`, {
        ...{ network: name, address, method, stack },
        beside: true,
      }),
      tooltip: `Answered at ${time}${block === undefined ? '' : `, block ${block}`} on ${name}. Click to run it again and open the whole answer.`,
    };
  }

  /** The gas of a failed run is compared with nothing. */
  #cost({ contract, method, typed, stack, gas, failed }: LastAnswer): string | undefined {
    if (gas === null) {
      return undefined;
    }
    return failed
      ? gasWords(gas, undefined)
      : this.#gas.words(methodKey(contract, method, typed ?? stack), gas);
  }

  /** The local network's answers that the user asked for, in visible sources. */
  #shownLocally(): LastAnswer[] {
    const local = this.#services.networks.local().name;
    return visibleSources()
      .flatMap((document) => this.#declared.get(document) ?? [])
      .flatMap(({ contract, method }) => this.#answers.of(contract, method) ?? [])
      .filter(({ network, isAsked }) => network === local && isAsked);
  }

  /** An answer that cannot be renewed is forgotten: its contract may be gone after a reset of the network. */
  async #runAgain(answer: LastAnswer): Promise<void> {
    const { address, method, stack, contract } = answer;
    try {
      const local = this.#services.networks.local();
      const { description } = await runInBackground(this.#services, { address, method, stack }, local);
      if (description?.name === contract) {
        return;
      }
    } catch (error) {
      this.#services.log.debug(`${method} of ${contract}: ${String(error)}`);
    }
    this.#answers.forget(answer);
  }
}
