/** Contexts and languages of scripts as they print. */

import { nodeSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { SCRIPT_CONTEXTS } from '../../script/context/script-contexts.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import type { ShownContext, ShownLanguages } from '../api/scripts.ts'
import { SCRIPT_LANGUAGES } from '../node/scripts.ts'

/** Java's names of the types that contexts name as scripts do. */
const JAVA_NAMES: Readonly<Record<string, string>> = {
  ExplanationHolder: 'org.opensearch.script.ScoreScript$ExplanationHolder',
  Interval: 'org.opensearch.index.query.IntervalFilterScript$Interval',
  Map: 'java.util.Map',
  Number: 'java.lang.Number',
  List: 'java.util.List',
  String: 'java.lang.String',
  def: 'java.lang.Object',
}

/** Contexts that settings allow, in order of name: what runs them, and a getter for each variable that is no argument. */
export function shownContexts(settings: Settings): readonly ShownContext[] {
  return allowedContexts(settings).map(name => {
    const { variables, returns } = SCRIPT_CONTEXTS.get(name)!
    const execute: JsonRecord = {
      name: 'execute',
      return_type: javaName(returns),
      params: variables
        .filter(variable => variable.argument)
        .map(variable => ({ type: javaName(variable.type), name: variable.name })),
    }
    const getters = variables
      .filter(variable => !variable.argument)
      .map(
        (variable): JsonRecord => ({
          name: getterName(variable.name),
          return_type: javaName(variable.type),
          params: [],
        }),
      )
    return { name, methods: [execute, ...getters] }
  })
}

/** Languages with the contexts that each serves. */
export function shownLanguages(settings: Settings): ShownLanguages {
  const types = nodeSettings.list(settings, 'script.allowed_types')
  const contexts = allowedContexts(settings)
  return {
    typesAllowed: ['inline', 'stored'].filter(
      type => types.length === 0 || (types.includes(type) && !types.includes('none')),
    ),
    languages: SCRIPT_LANGUAGES.map(language => ({
      language,
      contexts: contexts.filter(name =>
        (SCRIPT_CONTEXTS.get(name)!.languages as readonly string[]).includes(language),
      ),
    })),
  }
}

function allowedContexts(settings: Settings): string[] {
  const allowed = nodeSettings.list(settings, 'script.allowed_contexts')
  if (allowed.includes('none')) return []
  return [...SCRIPT_CONTEXTS.keys()].filter(name => allowed.length === 0 || allowed.includes(name))
}

function javaName(type: string): string {
  return JAVA_NAMES[type] ?? type
}

/** `getDoc`, `get_score`. */
function getterName(variable: string): string {
  return `get${variable[0]!.toUpperCase()}${variable.slice(1)}`
}
