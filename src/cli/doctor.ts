import type { Arguments, Verb } from './command-line.ts'
import { diagnose, type Finding } from './diagnosis.ts'
import { countedText, printable } from './drawing/text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { onServerOrFolder, SERVER_OR_FOLDER } from './server-or-folder.ts'
import type { Terminal } from './terminal.ts'

/** `lamella doctor`: what hinders the policies of indices, and the requests that cure it. Changes nothing. */
export const doctor: Verb = {
  positionals: [],
  options: SERVER_OR_FOLDER,

  async run(given: Arguments, terminal: Terminal): Promise<ExitCode> {
    // A look must not run the jobs of the folder.
    const settings = { 'lamella.index_states.jobs': 'false' }
    const findings = await onServerOrFolder(given, { settings }, diagnose)
    if (given.flag('json')) terminal.out(JSON.stringify({ findings }))
    else for (const line of drawFindings(findings, terminal)) terminal.out(line)
    return findings.length === 0 ? EXIT.fine : EXIT.failure
  },
}

function drawFindings(findings: readonly Finding[], { paint }: Terminal): string[] {
  if (findings.length === 0) return [paint.good('nothing stands in the way of policies')]
  return [
    ...findings.flatMap(({ text, remedies }) => [
      paint.bad(printable(text)),
      ...remedies.map(remedy => `  ${printable(remedy)}`),
    ]),
    '',
    countedText(findings.length, 'finding'),
  ]
}
