/**
 * Wraps the heavy disassembler: imported dynamically, a bundled CommonJS package has no named exports, but this
 * module does. Only ever import it with `await import(…)`.
 */
export { decompileCell, instr } from 'ton-assembly/dist/runtime/instr';
export { instructions } from 'ton-assembly/dist/generator/instructions';
export { Printer, print, printInstr } from 'ton-assembly/dist/text/printer';
