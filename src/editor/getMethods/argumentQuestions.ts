import type { AbiType, typeText } from '../../toolkit/abi/abiType';
import type {
  GetMethodSignature,
  signatureText,
  SignatureParameter,
} from '../../toolkit/abi/getMethodSignature';
import type { exampleOf } from '../../toolkit/abi/exampleOf';
import type { parseTypedStack } from '../../toolkit/abi/parseTypedStack';
import type { parseStackText } from '../../toolkit/stack/parseStackText';
import type { printStackValue } from '../../toolkit/stack/printStackValue';
import type { Services } from '../services';
import { askText } from '../ui/askText';
import type { Back } from '../ui/back';
import { pickOrType } from '../ui/pickOrType';
import type { Suggestion } from '../ui/pickOrType';
import { inputReason } from '../../toolkit/inputReason';
import { accountSuggestions } from '../accounts/accountSuggestions';
import { accountsByName, knownAccounts } from '../accounts/knownAccounts';
import type { CompleteCall } from './recentCalls';

/** What the questions are about. */
export interface AskedMethod {
  method: string;
  /** Without it, asks for the whole stack. */
  signature: GetMethodSignature | undefined;
  /** The last call of this method of this contract. */
  before: CompleteCall | undefined;
}

/** Reads and prints values. */
interface Parsers {
  parseStackText: typeof parseStackText;
  printStackValue: typeof printStackValue;
  parseTypedStack: typeof parseTypedStack;
  typeText: typeof typeText;
  signatureText: typeof signatureText;
  exampleOf: typeof exampleOf;
}

/** Arguments begin at this step. */
const firstStep = 3;

/** The questions for a method's arguments: one per parameter of a known signature, else one for the whole stack. */
export class ArgumentQuestions {
  readonly #services: Services;
  readonly #asked: AskedMethod;
  readonly #parse: Parsers;
  readonly #texts: string[];
  #whole: string | undefined;
  #isWhole: boolean;

  private constructor(services: Services, asked: AskedMethod, parse: Parsers) {
    this.#services = services;
    this.#asked = asked;
    this.#parse = parse;
    this.#texts = [...(asked.before?.texts ?? [])];
    this.#isWhole = asked.signature === undefined;
  }

  /** Loaded in advance: the user must not wait between two questions. */
  static async create(services: Services, asked: AskedMethod): Promise<ArgumentQuestions> {
    return new ArgumentQuestions(services, asked, await parsers());
  }

  lastStep(): number {
    return firstStep - 1 + (this.#isWhole ? 1 : (this.#asked.signature?.parameters.length ?? 0));
  }

  /** The stack as text that needs no signature, and the text typed for each parameter. */
  answers(): Pick<CompleteCall, 'stack' | 'texts'> {
    const { signature } = this.#asked;
    if (signature === undefined) {
      return { stack: this.#whole ?? '' };
    }
    const whole = this.#isWhole
      ? (this.#whole ?? '')
      : this.#texts.slice(0, signature.parameters.length).join(' ');
    const options = { accounts: accountsByName(this.#services) };
    const typed = this.#parse.parseTypedStack(whole, signature.parameters, options);
    return {
      stack: typed.flatMap(({ values }) => values.map(this.#parse.printStackValue)).join(' '),
      texts: typed.map(({ offset, length }) => whole.slice(offset, offset + length)),
    };
  }

  async ask(step: number): Promise<'next' | Back | undefined> {
    if (this.#isWhole) {
      return this.#askWhole();
    }
    const index = step - firstStep;
    const parameter = this.#asked.signature?.parameters[index];
    if (parameter === undefined) {
      return undefined;
    }
    const answer = await this.#askParameter(
      parameter,
      step,
      this.#texts[index] ?? this.#defaultOf(parameter),
    );
    if (this.#isWhole) {
      // The button for the whole stack was pressed.
      return this.#askWhole();
    }
    if (typeof answer !== 'string') {
      return answer;
    }
    this.#texts[index] = answer.trim();
    return 'next';
  }

  async #askWhole(): Promise<'next' | Back | undefined> {
    const { method, signature, before } = this.#asked;
    const value = this.#whole ?? (this.#texts.length > 0 ? this.#texts.join(' ') : before?.stack);
    const known =
      signature === undefined
        ? 'One value per argument; leave empty for none: 42  1.5ton  addr EQ…  cell te6cc…  str "text"  [1, 2]  @name'
        : this.#parse.signatureText(signature);
    const answer = await askText({
      title: `TON: Arguments of ${method}`,
      prompt: known,
      placeholder: 'Leave empty if the method has no arguments',
      step: firstStep,
      totalSteps: firstStep,
      ...(value === undefined ? {} : { value }),
      validate: (text) => this.#refuses(text, signature?.parameters),
    });
    if (typeof answer === 'string') {
      this.#whole = answer;
      return 'next';
    }
    this.#isWhole = signature === undefined;
    return answer;
  }

  #askParameter(
    parameter: SignatureParameter,
    step: number,
    value: string | undefined,
  ): Promise<string | Back | undefined> {
    const { method, signature } = this.#asked;
    const common = {
      title: `TON: ${parameter.name} of ${method}`,
      step,
      totalSteps: firstStep - 1 + (signature?.parameters.length ?? 0),
      ...(value === undefined ? {} : { value }),
      extra: {
        icon: 'edit',
        tooltip: 'Type All Arguments as Text',
        onPress: () => {
          this.#isWhole = true;
        },
      },
    };
    const type = this.#parse.typeText(parameter.type);
    const example = [
      this.#parse.exampleOf(parameter.type),
      ...(parameter.defaultText === undefined ? [] : [`The source’s default is ${parameter.defaultText}.`]),
    ].join(' ');
    const suggestions = this.#suggestions(parameter.type);
    if (suggestions.length === 0) {
      return askText({
        ...common,
        prompt: `${parameter.name}: ${type}. ${example}`,
        placeholder: type,
        validate: (text) => this.#refuses(text, [parameter]),
      });
    }
    return pickOrType({
      ...common,
      placeholder: `${parameter.name}: ${type}. ${example}`,
      suggestions,
      read: (text) => {
        const reason = this.#refuses(text, [parameter]);
        return reason === undefined ? { ok: true, label: text, description: type } : { ok: false, reason };
      },
    });
  }

  /** The source's default if it is a plain value; expressions and constants are only shown. */
  #defaultOf(parameter: SignatureParameter): string | undefined {
    const { defaultText } = parameter;
    return defaultText !== undefined && this.#refuses(defaultText, [parameter]) === undefined
      ? defaultText
      : undefined;
  }

  /** Possible values of a parameter of this type, if they can be listed. */
  #suggestions(type: AbiType): Suggestion[] {
    switch (type.kind) {
      case 'bool':
        return ['true', 'false'].map((value) => ({ value, label: value }));
      case 'enum':
        return type.members.map(({ name, value }) => ({
          value: name,
          label: name,
          description: value.toString(),
        }));
      case 'nullable':
        return [...this.#suggestions(type.inner), { value: 'null', label: 'null' }];
      case 'address':
        return [
          ...accountSuggestions(knownAccounts(this.#services)).map((account) => ({
            ...account,
            value: `@${account.value}`,
          })),
          { value: 'none', label: 'none', description: 'the empty address' },
        ];
      default:
        return [];
    }
  }

  #refuses(text: string, parameters: readonly SignatureParameter[] | undefined): string | undefined {
    const options = { accounts: accountsByName(this.#services) };
    try {
      if (parameters === undefined) {
        this.#parse.parseStackText(text, options);
      } else {
        this.#parse.parseTypedStack(text, parameters, options);
      }
      return undefined;
    } catch (error) {
      return inputReason(error);
    }
  }
}

async function parsers(): Promise<Parsers> {
  const [
    { parseStackText },
    { printStackValue },
    { parseTypedStack },
    { typeText },
    { signatureText },
    example,
  ] = await Promise.all([
    import('../../toolkit/stack/parseStackText'),
    import('../../toolkit/stack/printStackValue'),
    import('../../toolkit/abi/parseTypedStack'),
    import('../../toolkit/abi/abiType'),
    import('../../toolkit/abi/getMethodSignature'),
    import('../../toolkit/abi/exampleOf'),
  ]);
  return {
    parseStackText,
    printStackValue,
    parseTypedStack,
    typeText,
    signatureText,
    exampleOf: example.exampleOf,
  };
}
