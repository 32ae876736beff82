import { javaText } from '../../script/value/java-text.ts'
import type { ScriptValue } from '../../script/value/script-value.ts'
import { validationFailed } from '../../util/errors.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import { isMetadata } from '../document-metadata.ts'
import { changes, type ProcessorType } from '../processor.ts'
import type { ProcessorConfig } from '../processor-config.ts'

/** `remove_by_pattern`: the fields at the root that match a pattern, or all that match none. */
export const REMOVE_BY_PATTERN: ProcessorType = {
  name: 'remove_by_pattern',
  parse(config) {
    const given = config.value('field_pattern')
    const excluding = config.value('exclude_field_pattern')
    if ((given === null) === (excluding === null))
      throw config.fault(
        'field_pattern',
        'either field_pattern or exclude_field_pattern must be set',
      )
    const key = given === null ? 'exclude_field_pattern' : 'field_pattern'
    const patterns = patternsOf(config, key, given ?? excluding)
    const removes = given !== null
    return changes(document => {
      for (const name of document.fields.keys()) {
        const text = javaText(name)
        if (isMetadata(text)) continue
        if (patterns.some(pattern => matchesWildcard(pattern, text)) === removes)
          document.fields.delete(name)
      }
    })
  },
}

function patternsOf(config: ProcessorConfig, key: string, value: ScriptValue): string[] {
  const patterns = (Array.isArray(value) ? value : [value]).map(javaText)
  const faults = patterns.flatMap(pattern => faultsOf(`${key} [${pattern}]`, pattern))
  if (faults.length > 0) throw config.fault(key, validationFailed(faults).message)
  return patterns
}

function faultsOf(name: string, pattern: string): string[] {
  const faults: string[] = []
  if (pattern.includes(' ')) faults.push(`${name} must not contain a space`)
  if (/[ "\\<|,>/?]/.test(pattern))
    faults.push(`${name} must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]`)
  if (pattern.includes('#')) faults.push(`${name} must not contain a '#'`)
  if (pattern.includes(':')) faults.push(`${name} must not contain a ':'`)
  if (pattern.startsWith('_')) faults.push(`${name} must not start with '_'`)
  return faults
}
