import type { Long } from '../../../util/long.ts'
import { unparsable } from '../../value/date/date-faults.ts'
import { parseIsoDateTime } from '../../value/date/date-formatter.ts'
import { InstantValue, instantOf, instantOfMillis } from '../../value/date/local-values.ts'
import type { TemporalValue } from '../../value/date/temporal-value.ts'
import type { ZoneValue } from '../../value/date/zone-value.ts'
import { zonedOfInstant, zonedOfLocal } from '../../value/date/zoned-date-time.ts'
import { wrapLong } from '../../value/java-numbers.ts'
import { classOf } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { unobtainable } from './local-parts.ts'
import { members } from './members.ts'
import { type CharSequence, textOf } from './string-builder-value.ts'
import { shifts, temporalMembers, timeChanges } from './temporal-members.ts'
/** `Instant`. */
export const INSTANT: ClassType = {
  ...classOf('Instant', 'java.time.Instant', value => value instanceof InstantValue),
  supers: ['Temporal', 'TemporalAccessor', 'Comparable', 'Object'],
  constants: { EPOCH: { type: 'Instant', value: new InstantValue(0, 0) } },
  methods: {
    ...temporalMembers('Instant'),
    ...shifts('Instant', { Millis: 'MILLIS', Nanos: 'NANOS', Seconds: 'SECONDS' }),
    ...members({
      'ZonedDateTime atZone(ZoneId)': (_run, instant: InstantValue, zone: ZoneValue) =>
        zonedOfInstant(instant, zone),
      'long getEpochSecond()': (_run, instant: InstantValue) => instant.epochSecond,
      'int getNano()': (_run, instant: InstantValue) => instant.nano % 1e9,
      'long toEpochMilli()': (_run, instant: InstantValue) => epochMilli(instant),
      'Instant truncatedTo(TemporalUnit)': timeChanges('Instant')['truncatedTo/1']!.call,
    }),
  },
  statics: members({
    'Instant from(TemporalAccessor)': (_run, _, value: TemporalValue) => {
      if (value.epochSecond === null) throw unobtainable('Instant', value)
      return instantOf(value.epochSecond, (value.nano ?? 0) % 1e9)
    },
    'Instant ofEpochMilli(long)': (_run, _, millis: Long) => instantOfMillis(Number(millis)),
    'Instant ofEpochSecond(long)': (_run, _, second: Long) => instantOf(Number(second), 0),
    'Instant ofEpochSecond(long, long)': (_run, _, second: Long, nano: Long) =>
      instantOf(Number(second), 0).plusNanos(BigInt(nano)),
    'Instant parse(CharSequence)': (_run, _, text: CharSequence) => {
      const parsed = parseIsoDateTime(textOf(text))
      if (parsed === null || parsed.zone === null) throw unparsable(textOf(text))
      return zonedOfLocal(parsed.local.day, parsed.local.nano, parsed.zone).instant
    },
  }),
}

/** Milliseconds since 1970. */
export function epochMilli(instant: InstantValue): Long {
  return wrapLong(BigInt(instant.day) * 86_400_000n + BigInt(Math.floor(instant.nano / 1e6)))
}
