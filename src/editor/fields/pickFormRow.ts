import * as vscode from 'vscode';
import { actionRow, nextToFill, valueRow } from '../../toolkit/fieldForm';
import type { FormAction, FormValue, FormVerdict } from '../../toolkit/fieldForm';
import { LiveVerdict } from '../../toolkit/liveVerdict';
import { systemClock } from '../../toolkit/time';
import { answerOnce } from '../ui/answerOnce';
import type { Back } from '../ui/back';
import { back } from '../ui/back';
import { titleButtons } from '../ui/titleButtons';

/** What goes on with the values of a form. */
export interface FormEnd {
  action: FormAction;
  /** Finds out, without any effect, what would come of the values. */
  verdict?: ((signal: AbortSignal) => Promise<FormVerdict>) | undefined;
  /** What is said meanwhile. */
  checking?: string;
  /** Enter on the last row waits for the verdict, and goes on only if it is fine. */
  waits?: boolean;
}

/** A form's rows, as they are now. */
export interface FormRows extends FormEnd {
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
export type FormAnswer = number | 'next' | 'extra' | Back | undefined;

/**
 * Shows what is to be sent, deployed, or run as one list: a row for each value, and a last row that goes on and says
 * what would come of it. Enter on the last row goes to what is missing first.
 *
 * @returns undefined if the user canceled
 */
export function pickFormRow(form: FormRows): Promise<FormAnswer> {
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
