import type { DebugProtocol } from '@vscode/debugprotocol';

/** What a debug session can do. */
export const debugCapabilities: DebugProtocol.Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsFunctionBreakpoints: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsDataBreakpoints: true,
  supportsInstructionBreakpoints: true,
  supportsBreakpointLocationsRequest: true,
  supportsEvaluateForHovers: true,
  supportsClipboardContext: true,
  supportsCompletionsRequest: true,
  completionTriggerCharacters: ['.'],
  // So that a client offers it, and shows why it cannot be and what can be done instead.
  supportsSetVariable: true,
  supportsStepBack: true,
  supportsSteppingGranularity: true,
  supportsDisassembleRequest: true,
  supportsRestartRequest: true,
  supportsRestartFrame: true,
  supportsGotoTargetsRequest: true,
  supportsExceptionInfoRequest: true,
  supportsTerminateRequest: true,
  exceptionBreakpointFilters: [
    {
      filter: 'all',
      label: 'Every exception',
      description: 'Also those that the code catches',
      default: false,
    },
    {
      filter: 'uncaught',
      label: 'Uncaught exceptions',
      description: 'Those that end the execution',
      default: true,
    },
    {
      filter: 'failedAction',
      label: 'Failed actions',
      description: 'Code that succeeded, but whose actions failed',
      default: true,
    },
  ],
};
