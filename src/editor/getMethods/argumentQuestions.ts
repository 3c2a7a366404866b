import type { AbiType, typeText } from '../../toolkit/contracts/abi/abiType';
import type { exampleOf } from '../../toolkit/contracts/abi/methodIdOf';
import type {
  GetMethodSignature,
  SignatureParameter,
  signatureText,
} from '../../toolkit/contracts/abi/getMethodSignature';
import { inputReason } from '../../toolkit/base/text';
import type { parseStackText } from '../../toolkit/stack/parseStackText';
import type { printStackValue } from '../../toolkit/stack/stackValue';
import type { parseTypedStack } from '../../toolkit/contracts/layouts/parseTypedStack';
import { accountsByName } from '../project/accountName';
import { domainLookUp } from '../project/domainLookUp';
import { accountFieldSuggestions } from '../project/accountFieldSuggestions';
import type { AskedField } from '../project/askField';
import { FieldQuestions } from '../project/fieldQuestions';
import type { Services } from '../project/services';
import type { Back, Suggestion } from '../ui/askText';
import type { CompleteCall } from './recentCalls';

/** The method to ask for. */
export interface AskedMethod {
  method: string;
  /** If undefined, asks for the whole stack. */
  signature: GetMethodSignature | undefined;
  /** The last call of this contract's method. */
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

/** The questions for a method's arguments: one form with a row per parameter of a known signature, else one box for the whole stack. */
export class ArgumentQuestions {
  readonly #services: Services;
  readonly #asked: AskedMethod;
  readonly #parse: Parsers;
  readonly #questions: FieldQuestions;

  private constructor(services: Services, asked: AskedMethod, parse: Parsers) {
    this.#services = services;
    this.#asked = asked;
    this.#parse = parse;
    const { method, signature, before } = asked;
    this.#questions = new FieldQuestions({
      owner: method,
      fields: signature?.parameters.map((parameter) => this.#field(parameter)),
      before: before?.texts ?? [],
      lookUp: domainLookUp(services),
      whole: {
        title: `Arguments of ${method}`,
        prompt:
          signature === undefined
            ? 'One value per argument; leave empty for none: 42  1.5ton  addr EQ…  cell te6cc…  str "text"  [1, 2]  @name'
            : parse.signatureText(signature),
        placeholder: 'Leave empty if the method has no arguments',
        tooltip: 'Type All Arguments as Text',
        before: before?.stack,
        textOf: (texts) => texts.join(' '),
        refuses: (text) => this.#refuses(text, signature?.parameters),
      },
    });
  }

  /** Loads everything in advance, so that the user need not wait between two questions. */
  static async create(services: Services, asked: AskedMethod): Promise<ArgumentQuestions> {
    return new ArgumentQuestions(services, asked, await parsers());
  }

  /**
   * @param before number of steps before the first question
   * @returns `back` from the first question, undefined if the user canceled
   */
  ask(before: number): Promise<'next' | Back | undefined> {
    return this.#questions.ask({
      title: `TON: Arguments of ${this.#asked.method}`,
      action: { label: 'Run', icon: 'play' },
      step: before + 1,
      totalSteps: before + 1,
    });
  }

  /** The stack as text that can be read without a signature, and the text typed for each parameter. */
  answers(): Pick<CompleteCall, 'stack' | 'texts'> {
    const { signature } = this.#asked;
    const whole = this.#questions.text();
    if (signature === undefined) {
      return { stack: whole };
    }
    const options = { accounts: accountsByName(this.#services), constants: signature.constants };
    const typed = this.#parse.parseTypedStack(whole, signature.parameters, options);
    return {
      stack: typed.flatMap(({ values }) => values.map(this.#parse.printStackValue)).join(' '),
      texts: typed.map(({ offset, length }) => whole.slice(offset, offset + length)),
    };
  }

  #field(parameter: SignatureParameter): AskedField {
    const { defaultText } = parameter;
    const refuses = (text: string): string | undefined => this.#refuses(text, [parameter]);
    return {
      name: parameter.name,
      type: this.#parse.typeText(parameter.type),
      help: [
        this.#parse.exampleOf(parameter.type),
        ...(defaultText === undefined ? [] : [`The source’s default is ${defaultText}.`]),
      ].join(' '),
      // A default that is an expression or a constant of the source is only shown.
      value: defaultText !== undefined && refuses(defaultText) === undefined ? defaultText : undefined,
      suggestions: this.#suggestions(parameter.type),
      refuses,
    };
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
          ...accountFieldSuggestions(this.#services),
          { value: 'none', label: 'none', description: 'the empty address' },
        ];
      default:
        return [];
    }
  }

  #refuses(text: string, parameters: readonly SignatureParameter[] | undefined): string | undefined {
    const options = {
      accounts: accountsByName(this.#services),
      constants: this.#asked.signature?.constants,
    };
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
    import('../../toolkit/stack/stackValue'),
    import('../../toolkit/contracts/layouts/parseTypedStack'),
    import('../../toolkit/contracts/abi/abiType'),
    import('../../toolkit/contracts/abi/getMethodSignature'),
    import('../../toolkit/contracts/abi/methodIdOf'),
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
