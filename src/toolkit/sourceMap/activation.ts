/** A function that runs from a step on, called by another one. */
export interface Activation {
  /** Index of its caller; -1 if the VM's selection of the method called it. */
  parent: number;
  name: string;
  /** As the source map names it; undefined for assembly. */
  file: string | undefined;
  /** Its first step. */
  first: number;
  /** No instruction called it: the compiler has put it into its caller. */
  isInlined: boolean;
}
