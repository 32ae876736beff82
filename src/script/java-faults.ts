/** The exceptions of Java's library that members of the allow-list throw, with Java's texts. */
import { ScriptFault } from './script-fault.ts'

/** A null where a value is needed. */
export function nullPointer(reason: string): ScriptFault {
  return new ScriptFault('null_pointer_exception', 'java.lang.NullPointerException', reason)
}

/** An index outside of a list. */
export function indexOutOfBounds(index: number, length: number): ScriptFault {
  return new ScriptFault(
    'index_out_of_bounds_exception',
    'java.lang.IndexOutOfBoundsException',
    `Index ${index} out of bounds for length ${length}`,
  )
}

/** An index outside of a list; the text says which. */
export function boundsFault(reason: string): ScriptFault {
  return new ScriptFault(
    'index_out_of_bounds_exception',
    'java.lang.IndexOutOfBoundsException',
    reason,
  )
}

/** An index outside of an array. */
export function arrayIndexOutOfBounds(index: number, length: number): ScriptFault {
  return new ScriptFault(
    'array_index_out_of_bounds_exception',
    'java.lang.ArrayIndexOutOfBoundsException',
    `Index ${index} out of bounds for length ${length}`,
  )
}

/** An index outside of a text; the text says which. */
export function stringBounds(reason: string): ScriptFault {
  return new ScriptFault(
    'string_index_out_of_bounds_exception',
    'java.lang.StringIndexOutOfBoundsException',
    reason,
  )
}

/** An input that a member refuses. */
export function illegalArgument(reason: string): ScriptFault {
  return new ScriptFault('illegal_argument_exception', 'java.lang.IllegalArgumentException', reason)
}

/** A call at the wrong time. */
export function illegalState(reason: string): ScriptFault {
  return new ScriptFault('illegal_state_exception', 'java.lang.IllegalStateException', reason)
}

/** A change of what cannot be changed. */
export function unsupportedOperation(reason: string): ScriptFault {
  return new ScriptFault(
    'unsupported_operation_exception',
    'java.lang.UnsupportedOperationException',
    reason,
  )
}

/** A value of another class than is needed; class names are Java's. */
export function classCast(from: string, to: string): ScriptFault {
  return new ScriptFault(
    'class_cast_exception',
    'java.lang.ClassCastException',
    `class ${from} cannot be cast to class ${to}`,
  )
}

/** A text that is no number. */
export function numberFormat(reason: string): ScriptFault {
  return new ScriptFault('number_format_exception', 'java.lang.NumberFormatException', reason)
}

/** An element that is not there. */
export function noSuchElement(reason: string): ScriptFault {
  return new ScriptFault('no_such_element_exception', 'java.util.NoSuchElementException', reason)
}

/** A division by zero, or a number out of range. */
export function arithmetic(reason: string): ScriptFault {
  return new ScriptFault('arithmetic_exception', 'java.lang.ArithmeticException', reason)
}

/** A collection that changed while a member walked over it. */
export function concurrentModification(): ScriptFault {
  return new ScriptFault(
    'concurrent_modification_exception',
    'java.util.ConcurrentModificationException',
    'the collection changed while it was walked over',
  )
}

/** Calls or values nested too deep. */
export function stackOverflow(): ScriptFault {
  return new ScriptFault('stack_overflow_error', 'java.lang.StackOverflowError', 'nested too deep')
}
