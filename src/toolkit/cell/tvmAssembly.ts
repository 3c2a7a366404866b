/**
 * The heavy disassembler behind one module: a bundled CommonJS package has no named exports of its own when it is
 * imported dynamically, this module has. Only ever import it with `await import(…)`.
 */
export { decompileCell } from 'ton-assembly/dist/runtime/instr';
export { Printer, print, printInstr } from 'ton-assembly/dist/text/printer';
