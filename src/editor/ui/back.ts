/** What a step of several answers when the user wants the step before it. */
export const back = Symbol('back');
export type Back = typeof back;
