/** A step's result when the user wants the previous step. */
export const back = Symbol('back');
export type Back = typeof back;
