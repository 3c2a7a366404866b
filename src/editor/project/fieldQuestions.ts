import * as vscode from 'vscode';
import type { FormAction, FormValue, FormVerdict } from '../../toolkit/send/fieldForm';
import { LiveVerdict, actionRow, nextToFill, valueRow } from '../../toolkit/send/fieldForm';
import { systemClock } from '../../toolkit/base/time';
import type { Back, LookUp } from '../ui/askText';
import { answerOnce, askText, back, isAsking, titleButtons } from '../ui/askText';
import type { AskedField, FieldBox } from './askField';
import { askField } from './askField';

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

/** How the fields are asked for. */
export interface AskedForm extends FormEnd {
  /** The title of the list, and of the boxes of `more`. */
  title: string;
  /** Values after the fields, such as the amount of a message; their texts are in `moreTexts`. */
  more?: readonly AskedField[];
  /** The place among the steps. */
  step?: number;
  totalSteps?: number;
  /** The user came back from a later step. */
  isBack?: boolean;
}

/**
 * The questions for a get-method's arguments or a struct's fields: one form with a row for each, or for all of them
 * as text. A single value that goes on to nothing else is asked for in its box alone.
 */
export class FieldQuestions {
  readonly #asked: AskedFields;
  readonly #texts: string[];
  #more: string[] = [];
  #whole: string | undefined;
  #isWhole: boolean;

  constructor(asked: AskedFields) {
    this.#asked = asked;
    this.#texts = (asked.fields ?? []).map(({ value = '' }, place) => asked.before[place] ?? value);
    this.#isWhole = asked.fields === undefined;
  }

  /** All fields as one text. */
  text(): string {
    return this.#isWhole ? (this.#whole ?? '') : this.#asked.whole.textOf(this.#texts);
  }

  /** The text of each field; undefined if they were typed as one. */
  texts(): string[] | undefined {
    return this.#isWhole ? undefined : [...this.#texts];
  }

  /** The texts of the values after the fields. */
  moreTexts(): readonly string[] {
    return this.#more;
  }

  /**
   * Shows the form until the user goes on. It begins in the box of a field if that is the only one.
   * @returns `back` if the user wants the step before, undefined if they canceled
   */
  async ask(form: AskedForm): Promise<'next' | Back | undefined> {
    const more = form.more ?? [];
    this.#more = more.map(({ value = '' }) => value);
    let edited = form.isBack !== true && this.#asked.fields?.length === 1 ? 0 : undefined;
    let active = nextToFill(this.#values(more));
    if (this.#values(more).length === 0 && form.verdict === undefined) {
      return 'next';
    }
    for (;;) {
      const values = this.#values(more);
      const isAlone = values.length === 1 && form.verdict === undefined;
      if (edited === undefined && !isAlone) {
        const answer = await pickFormRow({
          ...form,
          hasBack: (form.step ?? 1) > 1,
          values: () => this.#values(more),
          active,
          ...(this.#asked.fields === undefined ? {} : { extra: this.#switch() }),
        });
        if (typeof answer !== 'number' && answer !== 'extra') {
          return answer;
        }
        if (answer === 'extra') {
          this.#isWhole = !this.#isWhole;
        }
        edited = answer === 'extra' ? (this.#isWhole ? 0 : undefined) : answer;
        active = 0;
        continue;
      }
      const place = edited ?? 0;
      edited = undefined;
      const wasWhole = this.#isWhole;
      const answer = await this.#edit(form, place, isAlone);
      if (answer === undefined && isAsking()) {
        // Not Escape: another question took the place of this box.
        return undefined;
      }
      if (typeof answer === 'string' && isAlone) {
        return 'next';
      }
      if (typeof answer === 'string') {
        active = nextToFill(this.#values(more));
      } else if (this.#isWhole !== wasWhole) {
        edited = this.#isWhole ? 0 : undefined;
        active = 0;
      } else if (isAlone) {
        return answer;
      } else {
        active = place;
      }
    }
  }

  /** The fields, or all of them as one, and what comes after them. */
  #values(more: readonly AskedField[]): FormValue[] {
    const { fields = [], whole, owner } = this.#asked;
    const value = ({ name, type, refuses, note }: AskedField, text: string): FormValue => ({
      name,
      type,
      text,
      problem: refuses(text),
      note: note?.(text),
    });
    const own = this.#isWhole
      ? [
          {
            name: owner,
            type: 'all fields',
            text: this.#whole ?? '',
            problem: whole.refuses(this.#whole ?? ''),
          },
        ]
      : fields.map((field, place) => value(field, this.#texts[place] ?? ''));
    return [...own, ...more.map((field, place) => value(field, this.#more[place] ?? ''))];
  }

  #switch(): { icon: string; tooltip: string } {
    return this.#isWhole
      ? { icon: 'list-flat', tooltip: 'Fill In Each Field' }
      : { icon: 'edit', tooltip: this.#asked.whole.tooltip };
  }

  /** Asks for one value, in a box that leads back to the form. */
  async #edit(form: AskedForm, place: number, isAlone: boolean): Promise<string | Back | undefined> {
    const { owner, fields = [], lookUp } = this.#asked;
    const own = this.#isWhole ? 1 : fields.length;
    const box: Omit<FieldBox, 'title'> = isAlone
      ? { step: form.step ?? 1, totalSteps: form.totalSteps ?? 1 }
      : { hasBack: true };
    if (this.#isWhole && place === 0) {
      return this.#editWhole(box);
    }
    const field = fields[place];
    if (place >= own || field === undefined) {
      const after = place - own;
      const asked = form.more![after]!;
      const text = await askField(
        { ...asked, lookUp, value: this.#more[after] },
        { title: form.title, ...box },
      );
      return this.#keep(this.#more, after, text);
    }
    const extra = {
      ...this.#switch(),
      onPress: () => {
        this.#isWhole = true;
      },
    };
    const title = `TON: ${field.name} of ${owner}`;
    const text = await askField(
      { ...field, lookUp, value: this.#texts[place] },
      { title, ...box, ...(isAlone || own === 1 ? { extra } : {}) },
    );
    return this.#keep(this.#texts, place, text);
  }

  #keep(texts: string[], place: number, answer: string | Back | undefined): string | Back | undefined {
    if (typeof answer === 'string') {
      texts[place] = answer.trim();
    }
    return answer;
  }

  async #editWhole(box: Omit<FieldBox, 'title'>): Promise<string | Back | undefined> {
    const { whole, fields, lookUp } = this.#asked;
    const value = this.#whole ?? (this.#texts.length > 0 ? whole.textOf(this.#texts) : whole.before);
    const answer = await askText({
      title: `TON: ${whole.title}`,
      prompt: whole.prompt,
      placeholder: whole.placeholder,
      ...box,
      // There is always a way back to the single fields.
      ...(fields === undefined ? {} : { hasBack: true }),
      ...(value === undefined ? {} : { value }),
      validate: whole.refuses,
      lookUp,
    });
    if (typeof answer === 'string') {
      this.#whole = answer;
    } else if (fields !== undefined && (answer === back || this.#whole === undefined)) {
      this.#isWhole = false;
    }
    return answer;
  }
}

/** What goes on with the values of a form. */
interface FormEnd {
  action: FormAction;
  /** Finds out, without any effect, what would come of the values. */
  verdict?: ((signal: AbortSignal) => Promise<FormVerdict>) | undefined;
  /** What is said meanwhile. */
  checking?: string;
  /** Enter on the last row waits for the verdict, and goes on only if it is fine. */
  waits?: boolean;
}

/** A form's rows, as they are now. */
interface FormRows extends FormEnd {
  title: string;
  step?: number | undefined;
  totalSteps?: number | undefined;
  hasBack: boolean;
  /** A button in the title. */
  extra?: { icon: string; tooltip: string };
  /** Read again whenever something is known anew. */
  values: () => readonly FormValue[];
  /** The place of the row to begin with. */
  active: number;
}

/** The place of the value to edit, `next` for the last row, `extra` for the button. */
type FormAnswer = number | 'next' | 'extra' | Back | undefined;

/**
 * Shows what is to be sent, deployed, or run as one list: a row for each value, and a last row that goes on and says
 * what would come of it. Enter on the last row goes to what is missing first.
 *
 * @returns undefined if the user canceled
 */
function pickFormRow(form: FormRows): Promise<FormAnswer> {
  return new Promise((resolve) => {
    const pick = vscode.window.createQuickPick();
    pick.title = form.title;
    pick.step = form.step;
    pick.totalSteps = form.totalSteps;
    pick.placeholder = 'Enter edits a row; the last row goes on';
    pick.ignoreFocusOut = true;
    pick.keepScrollPosition = true;
    pick.buttons = titleButtons(form);
    let isOpen = true;
    let isWanted = false;
    const answerWith = answerOnce(pick, (answer: FormAnswer) => {
      isOpen = false;
      live?.stop();
      resolve(answer);
    });
    const show = (active = pick.items.findIndex((item) => item === pick.activeItems[0])): void => {
      const values = form.values();
      const verdict = live?.current();
      pick.busy = verdict?.state === 'checking';
      pick.items = [...values.map(valueRow), actionRow(form.action, values, verdict)].map(
        ({ icon, ...row }) => ({
          ...row,
          // Icons in labels are read aloud.
          iconPath: new vscode.ThemeIcon(icon),
          // What is typed here looks for a row, and hides none: a form is seen whole.
          alwaysShow: true,
        }),
      );
      const item = pick.items[active];
      pick.activeItems = item === undefined ? [] : [item];
    };
    const goOn = (): void => {
      const missing = nextToFill(form.values());
      const state = live?.current()?.state;
      isWanted = form.waits === true && state === 'checking';
      if (missing < form.values().length) {
        answerWith(missing);
      } else if (!isWanted) {
        answerWith('next');
      }
    };
    const { verdict: ask } = form;
    const live =
      ask === undefined
        ? undefined
        : new LiveVerdict({
            ask,
            clock: systemClock,
            checking: form.checking ?? '',
            onChange: () => {
              if (!isOpen) {
                return;
              }
              show();
              const state = live?.current()?.state;
              if (isWanted && state !== 'checking') {
                isWanted = false;
                if (state !== 'fails') {
                  answerWith('next');
                }
              }
            },
          });
    pick.onDidTriggerButton((button) => {
      answerWith(button === vscode.QuickInputButtons.Back ? back : 'extra');
    });
    pick.onDidAccept(() => {
      const place = pick.items.findIndex((item) => item === pick.selectedItems[0]);
      if (place === pick.items.length - 1) {
        goOn();
      } else if (place >= 0) {
        answerWith(place);
      }
    });
    show(form.active);
    if (nextToFill(form.values()) === form.values().length) {
      live?.renew();
    }
    pick.show();
  });
}
