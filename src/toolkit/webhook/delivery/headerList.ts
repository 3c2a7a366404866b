/** Header names and values as they came: order, case and duplicates kept. */
export type HeaderList = readonly (readonly [name: string, value: string])[];
