import type { HeaderList } from './headerList';

/** The test that a delivery belongs to. */
export interface DeliveryTest {
  /** Name of the scenario. */
  scenario: string;
  /** Differs between runs of a scenario; all deliveries and attempts of one run share it. */
  run: string;
}

const testMarkHeader = 'X-Ton-Workbench-Test';

const lowerName = testMarkHeader.toLowerCase();

/** The header that marks a test delivery. It is not signed, so a receiver must not base decisions on it. */
export function testMark({ scenario, run }: DeliveryTest): HeaderList[number] {
  return [testMarkHeader, `${scenario} ${run}`];
}

/** The test named by a request's headers; undefined if there is none, or several. */
export function readTestMark(headers: HeaderList): DeliveryTest | undefined {
  const marks = headers.filter(
    ([name]) => name.length === lowerName.length && name.toLowerCase() === lowerName,
  );
  const parts = marks.length === 1 ? /^([a-z-]{1,40}) ([0-9a-f]{16})$/.exec(marks[0]?.[1] ?? '') : null;
  return parts === null ? undefined : { scenario: parts[1] ?? '', run: parts[2] ?? '' };
}

/** The headers without the mark: a delivery that is sent again is not part of the test. */
export function withoutTestMark(headers: HeaderList): HeaderList {
  return headers.filter(([name]) => name.toLowerCase() !== lowerName);
}
