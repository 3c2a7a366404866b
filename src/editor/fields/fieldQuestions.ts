import { askText } from '../ui/askText';
import { back } from '../ui/back';
import type { Back } from '../ui/back';
import { askField } from './askField';
import type { AskedField } from './askField';

/** What the questions are about. */
export interface AskedFields {
  /** What has the fields: `AddGuardian`. Titles name it. */
  owner: string;
  /** undefined: nothing is known, and all is asked for as one text. */
  fields: readonly AskedField[] | undefined;
  /** The text given for each of them before. */
  before: readonly string[];
  /** All of them as one text, which can be typed instead. */
  whole: {
    title: string;
    prompt: string;
    placeholder: string;
    /** Of the button that asks for it. */
    tooltip: string;
    /** What was typed before, where nothing is known of fields. */
    before?: string | undefined;
    textOf: (texts: readonly string[]) => string;
    refuses: (text: string) => string | undefined;
  };
}

/** The boxes for the arguments of a get-method or the fields of a struct: one for each, or one for all of them as text. */
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

  /** How many boxes there are. */
  count(): number {
    return this.#isWhole ? 1 : (this.#asked.fields?.length ?? 0);
  }

  /** All of it as one text. */
  text(): string {
    return this.#isWhole ? (this.#whole ?? '') : this.#asked.whole.textOf(this.texts() ?? []);
  }

  /** The text of each field; undefined where all was typed as one. */
  texts(): string[] | undefined {
    return this.#isWhole ? undefined : this.#texts.slice(0, this.#asked.fields?.length);
  }

  /**
   * Asks box after box, with a way back.
   * @param before steps of the conversation before the first box
   * @param after steps after the last one
   * @param isBack the user came back from what follows: the last box comes first
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

  /** @returns `whole` where another way of asking was chosen: from its beginning */
  async #askOne(
    index: number,
    step: number,
    totalSteps: number,
  ): Promise<'next' | 'whole' | Back | undefined> {
    const { owner, fields = [], whole } = this.#asked;
    const field = fields[index]!;
    const answer = await askField(
      { ...field, value: this.#texts[index] ?? field.value },
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
    const { whole, fields } = this.#asked;
    const value = this.#whole ?? (this.#texts.length > 0 ? whole.textOf(this.#texts) : whole.before);
    const answer = await askText({
      title: `TON: ${whole.title}`,
      prompt: whole.prompt,
      placeholder: whole.placeholder,
      // A way back, also from the first step: to the boxes.
      step: fields === undefined ? step : Math.max(2, step),
      totalSteps: fields === undefined ? totalSteps : Math.max(2, totalSteps),
      ...(value === undefined ? {} : { value }),
      validate: whole.refuses,
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
