/** The exceptions of `java.time`. */
import { ScriptFault } from '../../script-fault.ts'

/** A date or time that does not exist or cannot be made. */
export function dateTimeFault(reason: string): ScriptFault {
  return new ScriptFault('date_time_exception', 'java.time.DateTimeException', reason)
}

/** A text that is no date. */
export function unparsable(text: string): ScriptFault {
  return new ScriptFault(
    'date_time_parse_exception',
    'java.time.format.DateTimeParseException',
    `Text '${text.slice(0, 256)}' could not be parsed at index 0`,
  )
}

/** A field or unit that a class does not have. */
export function unsupported(kind: 'field' | 'unit', name: string): ScriptFault {
  return temporalTypeFault(`Unsupported ${kind}: ${name}`)
}

/** A field or unit that a member cannot serve. */
export function temporalTypeFault(reason: string): ScriptFault {
  return new ScriptFault(
    'unsupported_temporal_type_exception',
    'java.time.temporal.UnsupportedTemporalTypeException',
    reason,
  )
}

/** A zone ID without rules. */
export function unknownZone(id: string): ScriptFault {
  return new ScriptFault(
    'zone_rules_exception',
    'java.time.zone.ZoneRulesException',
    `Unknown time-zone ID: ${id.slice(0, 256)}`,
  )
}
