import { askText } from '../ui/askText';
import { back } from '../ui/back';
import type { Back } from '../ui/back';
import type { LookUp } from '../ui/lookUp';
import { askField } from './askField';
import type { AskedField } from './askField';

/** The fields or arguments to ask for. */
export interface AskedFields {
  /** The owner of the fields: `AddGuardian`. Shown in titles. */
  owner: string;
  /** If undefined, nothing is known about fields, and one box asks for all of it. */
  fields: readonly AskedField[] | undefined;
  /** What a text may need before it can be read. */
  lookUp?: LookUp | undefined;
  /** The text last given for each field. */
  before: readonly string[];
  /** All fields as one text, which the user can type instead. */
  whole: {
    title: string;
    prompt: string;
    placeholder: string;
    /** Tooltip of the button that switches to it. */
    tooltip: string;
    /** The text last typed, if fields are unknown. */
    before?: string | undefined;
    textOf: (texts: readonly string[]) => string;
    refuses: (text: string) => string | undefined;
  };
}

/**
 * The input boxes for a get-method's arguments or a struct's fields: one for each, or one for all of them as
 * text.
 */
export class FieldQuestions {
  readonly #asked: AskedFields;
  readonly #texts: string[];
  #whole: string | undefined;
  #isWhole: boolean;

  constructor(asked: AskedFields) {
    this.#asked = asked;
    this.#texts = [...asked.before];
    this.#isWhole = asked.fields === undefined;
  }

  /** The number of boxes. */
  count(): number {
    return this.#isWhole ? 1 : (this.#asked.fields?.length ?? 0);
  }

  /** All fields as one text. */
  text(): string {
    return this.#isWhole ? (this.#whole ?? '') : this.#asked.whole.textOf(this.texts() ?? []);
  }

  /** The text of each field; undefined if they were typed as one. */
  texts(): string[] | undefined {
    return this.#isWhole ? undefined : this.#texts.slice(0, this.#asked.fields?.length);
  }

  /**
   * Asks box after box, with a back button.
   * @param before number of steps before the first box
   * @param after number of steps after the last box
   * @param isBack the user came back from a later step, so begin with the last box
   * @returns `back` from the first box, undefined if the user canceled
   */
  async ask(before: number, after: number, isBack = false): Promise<'next' | Back | undefined> {
    let index = isBack ? this.count() - 1 : 0;
    while (index < this.count()) {
      const answer = this.#isWhole
        ? await this.#askWhole(before + 1, before + 1 + after)
        : await this.#askOne(index, before + index + 1, before + this.count() + after);
      if (answer === undefined) {
        return undefined;
      }
      if (answer === 'whole') {
        index = 0;
      } else if (answer === 'next') {
        index++;
      } else if (index === 0) {
        return back;
      } else {
        index--;
      }
    }
    return 'next';
  }

  /** @returns `whole` if the user chose to type all fields as one text */
  async #askOne(
    index: number,
    step: number,
    totalSteps: number,
  ): Promise<'next' | 'whole' | Back | undefined> {
    const { owner, fields = [], whole, lookUp } = this.#asked;
    const field = fields[index]!;
    const answer = await askField(
      { ...field, lookUp, value: this.#texts[index] ?? field.value },
      {
        title: `TON: ${field.name} of ${owner}`,
        step,
        totalSteps,
        extra: {
          icon: 'edit',
          tooltip: whole.tooltip,
          onPress: () => {
            this.#isWhole = true;
          },
        },
      },
    );
    if (this.#isWhole) {
      return 'whole';
    }
    if (typeof answer !== 'string') {
      return answer;
    }
    this.#texts[index] = answer.trim();
    return 'next';
  }

  async #askWhole(step: number, totalSteps: number): Promise<'next' | 'whole' | Back | undefined> {
    const { whole, fields, lookUp } = this.#asked;
    const value = this.#whole ?? (this.#texts.length > 0 ? whole.textOf(this.#texts) : whole.before);
    const answer = await askText({
      title: `TON: ${whole.title}`,
      prompt: whole.prompt,
      placeholder: whole.placeholder,
      // From step 2 on, there is a back button: here, it leads to the separate boxes.
      step: fields === undefined ? step : Math.max(2, step),
      totalSteps: fields === undefined ? totalSteps : Math.max(2, totalSteps),
      ...(value === undefined ? {} : { value }),
      validate: whole.refuses,
      lookUp,
    });
    if (typeof answer === 'string') {
      this.#whole = answer;
      return 'next';
    }
    if (answer === back && fields !== undefined) {
      this.#isWhole = false;
      return 'whole';
    }
    return answer;
  }
}
