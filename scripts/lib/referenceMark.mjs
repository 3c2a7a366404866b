/** In the title of what is skipped where the published descriptions and recordings are absent. */
export const referenceMark = '[needs the reference folder]';
