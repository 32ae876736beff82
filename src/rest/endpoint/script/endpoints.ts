/** The endpoints of scripts. */
import type { Endpoint } from '../../endpoint.ts'
import { executeScript } from './execute-script.ts'
import { renderTemplate } from './render-template.ts'
import { scriptContexts, scriptLanguages } from './script-contexts.ts'
import { deleteScript, getScript, putScript } from './stored-scripts.ts'

/** Stored scripts, their contexts and languages, and templates rendered. */
export const SCRIPT_ENDPOINTS: readonly Endpoint[] = [
  putScript,
  getScript,
  deleteScript,
  scriptContexts,
  scriptLanguages,
  renderTemplate,
  executeScript,
]
