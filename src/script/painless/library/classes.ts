import { ADJUSTER_CLASSES } from './adjusters.ts'
import { ARRAYS } from './array-class.ts'
import { BIG_DECIMAL_CLASSES } from './big-decimal-classes.ts'
import { BIG_INTEGER } from './big-integer-class.ts'
import { CHARACTER } from './character-class.ts'
import { CHRONO_CLASSES } from './chrono-classes.ts'
import type { ClassType } from './class-type.ts'
import { COLLECTION } from './collection-class.ts'
import { COLLECTIONS } from './collections-class.ts'
import { COLLECTOR_CLASSES } from './collector-classes.ts'
import { DEBUG } from './debug-class.ts'
import { DEQUE_CLASSES } from './deque-classes.ts'
import { DURATION_CLASSES } from './duration-classes.ts'
import { ENUM } from './enum-class.ts'
import { EXCEPTION_CLASSES } from './exception-classes.ts'
import { FLOAT_CLASSES } from './float-classes.ts'
import { FUNCTIONAL_CLASSES } from './functional-classes.ts'
import { INSTANT } from './instant-class.ts'
import { INTEGER_CLASSES } from './integer-classes.ts'
import { ITERABLE } from './iterable-class.ts'
import { ITERATOR_CLASSES } from './iterator-classes.ts'
import { LIST_CLASSES } from './list-classes.ts'
import { LOCAL_DATE } from './local-date-class.ts'
import { LOCAL_TIME_CLASSES } from './local-time-classes.ts'
import { LOCALE } from './locale-class.ts'
import { MAP_CLASSES } from './map-classes.ts'
import { MATH_CLASSES } from './math-class.ts'
import { OBJECT_CLASSES } from './object-class.ts'
import { OBJECTS } from './objects-class.ts'
import { OPTIONAL_CLASSES } from './optional-classes.ts'
import { REGEX_CLASSES } from './regex-classes.ts'
import { SET_CLASSES } from './set-classes.ts'
import { SORTED_CLASSES } from './sorted-classes.ts'
import { STATISTICS_CLASSES } from './statistics-classes.ts'
import { STREAM_CLASSES } from './stream-classes.ts'
import { STRING_BUILDER_CLASSES } from './string-builder.ts'
import { STRING_CLASSES } from './string-class.ts'
import { STRING_TOOLS } from './string-tools.ts'
import { ZONE_CLASSES } from './zone-classes.ts'
import { ZONED_CLASSES } from './zoned-classes.ts'

/** The allow-list: every class that a script can name or be given. */
export const CLASSES: readonly ClassType[] = [
  ...OBJECT_CLASSES,
  ...STRING_CLASSES,
  LOCALE,
  ...STRING_BUILDER_CLASSES,
  ...INTEGER_CLASSES,
  ...FLOAT_CLASSES,
  CHARACTER,
  BIG_INTEGER,
  ...BIG_DECIMAL_CLASSES,
  ENUM,
  ...MATH_CLASSES,
  ITERABLE,
  COLLECTION,
  ...LIST_CLASSES,
  ...DEQUE_CLASSES,
  ...MAP_CLASSES,
  ...SET_CLASSES,
  ...SORTED_CLASSES,
  ...ITERATOR_CLASSES,
  ...FUNCTIONAL_CLASSES,
  ...EXCEPTION_CLASSES,
  ...CHRONO_CLASSES,
  ...ADJUSTER_CLASSES,
  LOCAL_DATE,
  ...LOCAL_TIME_CLASSES,
  INSTANT,
  ...ZONE_CLASSES,
  ...ZONED_CLASSES,
  ...DURATION_CLASSES,
  ...STREAM_CLASSES,
  ...COLLECTOR_CLASSES,
  ...STATISTICS_CLASSES,
  ...REGEX_CLASSES,
  ...STRING_TOOLS,
  ARRAYS,
  COLLECTIONS,
  OBJECTS,
  ...OPTIONAL_CLASSES,
  DEBUG,
]
