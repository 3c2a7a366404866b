import type { SourceLanguage } from './sourceReadings';

/** What only a contract has. In Tolk, a `main` without parameters is a script of Acton. */
const entries: Readonly<Record<SourceLanguage, RegExp>> = {
  tolk: /\bfun\s{1,9}(?:main\s{0,9}\(\s{0,40}\w|(?:onInternalMessage|onExternalMessage)\s{0,9}\()/,
  func: /\b(?:main|recv_internal|recv_external)\s{0,9}\(/,
  tact: /^[ \t]{0,40}contract[ \t]{1,9}\w/m,
};

/** Whether a source is a contract's own, judged by the functions that receive messages. */
export function isContractSource(text: string, language: SourceLanguage): boolean {
  return entries[language].test(text);
}
