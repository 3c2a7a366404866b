/**
 * Files in src/editor that do not mention vscode themselves, by the reason why they are not in the toolkit.
 * The list may only shrink: logic without windows belongs in the toolkit, where the command line can use it,
 * too.
 */
export const editorFiles: Readonly<Record<string, readonly string[]>> = {
  'types of the services and rows that features share': [
    'project/accountName.ts',
    'networks/sourceNames.ts',
    'send/composeAsking.ts',
  ],
  'questions and suggestions of the inputs in ui': [
    'project/accountReader.ts',
    'project/askAccount.ts',
    'project/domainLookUp.ts',
    'project/accountFieldSuggestions.ts',
    'project/askField.ts',
    'getMethods/argumentQuestions.ts',
    'getMethods/methodSuggestion.ts',
    'localnet/askCell.ts',
    'localnet/askCoins.ts',
    'replay/askChange.ts',
    'send/askComposedLine.ts',
  ],
  'what commands do: they ask, show progress, and open documents': [
    'payments/paymentsServer.ts',
    'replay/replayWithChangesCommand.ts',
    'replay/showMethodStepsCommand.ts',
    'send/composeCommand.ts',
    'send/deployNamed.ts',
    'ui/showCommandError.ts',
    'wallet/walletServer.ts',
    'webhooks/webhookCommandIds.ts',
  ],
  'what this window knows (its accounts, pins, sources, settings, orders), handed to the toolkit': [
    'project/itemAddress.ts',
    'contracts/deployedOf.ts',
    'project/findInstances.ts',
    'networks/domainNames.ts',
    'project/recordedDeployments.ts',
    'project/methodsOf.ts',
    'project/projectWords.ts',
    'replay/nameThrow.ts',
    'traces/traceKnowledge.ts',
  ],
  'how VS Code shows text': ['ui/plainText.ts'],
  'what views show is kept current': ['traces/traceCompletion.ts', 'traces/traceRows.ts', 'ui/keptRows.ts'],
};
