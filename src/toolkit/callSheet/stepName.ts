import type { SheetStep } from './callSheet';
import { visibleText } from '../text';

/** What a step does, in a few words: `seqno on alice`. */
export function stepName(step: SheetStep): string {
  switch (step.kind) {
    case 'call':
      return visibleText(`${step.method.text} on ${step.target.text}`);
    case 'send':
      return visibleText(`send ${/^\S+(?:\s+[A-Za-z]\w*(?=\s*\{))?/.exec(step.line.text)?.[0] ?? ''}`);
    case 'deploy':
      return visibleText(`deploy ${step.name.text}`);
    case 'check':
      return visibleText(step.title);
  }
}
