/** The variables and methods of fields: `doc['f'].min()`, `.empty`, `.date.year`, `.lat`. */
import { DAY_NANOS } from '../value/date/chrono-field.ts'
import { CHRONO_FIELDS } from '../value/date/chrono-fields.ts'
import type { ExpressionField } from './expression-field.ts'

/** A number of the document at hand. */
export type NumberReader = () => number

type Member = (field: ExpressionField) => NumberReader
type Members = ReadonlyMap<string, Member>

const DAY_MILLIS = DAY_NANOS / 1e6

const first: Member = field => () => (field.size === 0 ? 0 : field.valueAt(0))
const count: Member = field => () => field.size
const isEmpty: Member = field => () => (field.size === 0 ? 1 : 0)

function sumOf(field: ExpressionField): number {
  let sum = 0
  for (let i = 0; i < field.size; i++) sum += field.valueAt(i)
  return sum
}

function medianOf(field: ExpressionField): number {
  const { size } = field
  if (size === 0) return 0
  const middle = size >> 1
  return size % 2 === 1
    ? field.valueAt(middle)
    : (field.valueAt(middle - 1) + field.valueAt(middle)) / 2
}

const NUMBER_VARIABLES: Members = new Map([
  ['empty', isEmpty],
  ['length', count],
  ['value', first],
])

const NUMBER_METHODS: Members = new Map<string, Member>([
  ['avg', field => () => (field.size === 0 ? 0 : sumOf(field) / field.size)],
  ['count', count],
  ['getValue', first],
  ['isEmpty', isEmpty],
  ['max', field => () => (field.size === 0 ? 0 : field.valueAt(field.size - 1))],
  ['median', field => () => medianOf(field)],
  ['min', first],
  ['size', count],
  ['sum', field => () => sumOf(field)],
])

/** A part of the first date, in UTC; that of 1970-01-01 without a date. */
function datePart(name: string, shown: (value: number) => number = value => value): Member {
  const { get } = CHRONO_FIELDS.get(name)!
  return field => () => {
    const millis = field.size === 0 ? 0 : Math.trunc(field.valueAt(0))
    const day = Math.floor(millis / DAY_MILLIS)
    return shown(get(day, (millis - day * DAY_MILLIS) * 1e6))
  }
}

const DATE_METHODS: Members = new Map([
  ...NUMBER_METHODS,
  ['getDayOfMonth', datePart('DAY_OF_MONTH')],
  ['getHourOfDay', datePart('HOUR_OF_DAY')],
  ['getMinutes', datePart('MINUTE_OF_HOUR')],
  // Java's old calendar counts months from 0.
  ['getMonth', datePart('MONTH_OF_YEAR', month => month - 1)],
  ['getSeconds', datePart('SECOND_OF_MINUTE')],
  ['getYear', datePart('YEAR')],
])

/** Members behind `.date.`. */
const DATE_PARTS: Members = new Map([
  ['centuryOfEra', datePart('YEAR_OF_ERA', year => Math.floor(year / 100))],
  ['dayOfMonth', datePart('DAY_OF_MONTH')],
  ['dayOfWeek', datePart('DAY_OF_WEEK')],
  ['dayOfYear', datePart('DAY_OF_YEAR')],
  ['era', datePart('ERA')],
  ['hourOfDay', datePart('HOUR_OF_DAY')],
  ['millisOfDay', datePart('MILLI_OF_DAY')],
  ['millisOfSecond', datePart('MILLI_OF_SECOND')],
  ['minuteOfDay', datePart('MINUTE_OF_DAY')],
  ['minuteOfHour', datePart('MINUTE_OF_HOUR')],
  ['monthOfYear', datePart('MONTH_OF_YEAR')],
  ['secondOfDay', datePart('SECOND_OF_DAY')],
  ['secondOfMinute', datePart('SECOND_OF_MINUTE')],
  ['weekOfWeekyear', datePart('WEEK_OF_WEEK_BASED_YEAR')],
  ['weekyear', datePart('WEEK_BASED_YEAR')],
  ['year', datePart('YEAR')],
  ['yearOfCentury', datePart('YEAR_OF_ERA', year => year % 100)],
  ['yearOfEra', datePart('YEAR_OF_ERA')],
])

/** `getYear()` for `year`. */
function getters(members: Members): Members {
  return new Map(
    [...members].map(([name, member]) => [`get${name[0]!.toUpperCase()}${name.slice(1)}`, member]),
  )
}

const GEO_VARIABLES: Members = new Map<string, Member>([
  ['empty', isEmpty],
  ['lat', field => () => (field.size === 0 ? 0 : field.latitude())],
  ['lon', field => () => (field.size === 0 ? 0 : field.longitude())],
])

const GEO_METHODS: Members = new Map([
  ['getLat', GEO_VARIABLES.get('lat')!],
  ['getLon', GEO_VARIABLES.get('lon')!],
  ['isEmpty', isEmpty],
])

interface Subject {
  readonly variables: Members
  readonly methods: Members
  /** As errors call it. */
  readonly name: string
}

const SUBJECTS: Readonly<Record<ExpressionField['kind'] | 'dateObject', Subject>> = {
  date: { variables: NUMBER_VARIABLES, methods: DATE_METHODS, name: 'date field' },
  dateObject: {
    variables: DATE_PARTS,
    methods: getters(DATE_PARTS),
    name: 'date object on field',
  },
  geo_point: { variables: GEO_VARIABLES, methods: GEO_METHODS, name: 'geo field' },
  number: { variables: NUMBER_VARIABLES, methods: NUMBER_METHODS, name: 'numeric field' },
}

/** A member that its field does not have. */
export class UnknownMemberError extends Error {}

/**
 * The reader of a field's member.
 * @param behindDate whether it stands behind `.date.`
 * @throws {UnknownMemberError} there is none of that name
 */
export function memberReader(
  field: ExpressionField,
  fieldName: string,
  member: string,
  isMethod: boolean,
  behindDate: boolean,
): NumberReader {
  const { variables, methods, name } = SUBJECTS[behindDate ? 'dateObject' : field.kind]
  const found = (isMethod ? methods : variables).get(member)
  if (found === undefined)
    throw new UnknownMemberError(
      `Member ${isMethod ? 'method' : 'variable'} [${member}] does not exist for ${name} [${fieldName}].`,
    )
  return found(field)
}
