/** Header names and values as received: order, case, and duplicates kept. */
export type HeaderList = readonly (readonly [name: string, value: string])[];
