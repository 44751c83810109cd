import { Decimal as DefaultDecimal } from "decimal.js";
import { ToolInputError } from "../tool-input-error.ts";

/** Bounds of an expression. Functions that are computed as series take about a millisecond each. */
export const CALCULATION_BOUNDS = { chars: 1000, depth: 50, digits: 100, series: 8 };

/** Digits of all steps; a result that is not a whole number shows {@link SHOWN_DIGITS}, so that rounding is not seen. */
const DIGITS = 50;
const SHOWN_DIGITS = 20;
/** A power of ten beyond which a result is too large. */
const MAX_EXPONENT = 1000;
/** Results with more digits before or after the point are written with an exponent. */
const MAX_PLAIN = 30;
/** Decimal places of sines, so that that of π is 0. */
const SINE_PLACES = 40;
const MAX_ANGLE = "1e15";
/** The exponential function of a larger number is beyond {@link MAX_EXPONENT}. */
const MAX_EXPONENTIAL = 2400;

const Decimal = DefaultDecimal.clone({
  precision: DIGITS,
  // Half away from zero, as people round; remainders have the sign of the divisor, as in mathematics.
  rounding: DefaultDecimal.ROUND_HALF_UP,
  modulo: DefaultDecimal.ROUND_FLOOR,
  maxE: MAX_EXPONENT,
  minE: -MAX_EXPONENT,
  defaults: true,
});
type Decimal = InstanceType<typeof Decimal>;

const constants: Readonly<Record<string, Decimal>> = {
  pi: new Decimal("3.14159265358979323846264338327950288419716939937510582"),
  e: new Decimal("2.71828182845904523536028747135266249775724709369995957"),
};

/** `args`: fewest and most arguments. `isSeries`: counts against the bound of such functions. */
type FunctionRule = {
  args: readonly [min: number, max: number];
  isSeries?: true;
  compute(values: readonly Decimal[], value: Decimal): Decimal;
};

const one = [1, 1] as const;
const many = [1, CALCULATION_BOUNDS.chars] as const;

const functions: Readonly<Record<string, FunctionRule>> = {
  sqrt: { args: one, compute: (_, value) => rootOf(value) },
  abs: { args: one, compute: (_, value) => value.abs() },
  round: { args: [1, 2], compute: ([, places], value) => value.toDecimalPlaces(placesOf(places)) },
  floor: { args: one, compute: (_, value) => value.floor() },
  ceil: { args: one, compute: (_, value) => value.ceil() },
  min: { args: many, compute: (values) => Decimal.min(...values) },
  max: { args: many, compute: (values) => Decimal.max(...values) },
  ln: { args: one, isSeries: true, compute: (_, value) => logarithmOf(value).ln() },
  log: { args: [1, 2], isSeries: true, compute: ([, base], value) => logarithmOf(value).log(baseOf(base)) },
  exp: { args: one, isSeries: true, compute: (_, value) => exponentialOf(value) },
  sin: { args: one, isSeries: true, compute: (_, value) => angleOf(value).sin().toDecimalPlaces(SINE_PLACES) },
  cos: { args: one, isSeries: true, compute: (_, value) => angleOf(value).cos().toDecimalPlaces(SINE_PLACES) },
  tan: { args: one, isSeries: true, compute: (_, value) => tangentOf(angleOf(value)) },
};

/**
 * Evaluates an arithmetic expression with decimal numbers: `+ - * / ^`, parentheses, the functions above (`log` to the
 * base 10 or that of its second argument, angles in radians), `pi` and `e`. `%` before an operand is the remainder, else a
 * percentage: `10 % 3` is 1, `200 * 15%` is 30. A power binds more strongly than a sign, and from right to left.
 * @returns the value in digits: whole numbers of up to 50 digits exactly, others rounded to 20
 * @throws ToolInputError
 */
export function calculate(expression: string): string {
  if (expression.length > CALCULATION_BOUNDS.chars) {
    throw new ToolInputError(`The expression is longer than ${CALCULATION_BOUNDS.chars} characters.`);
  }
  const tokens = tokensOf(expression);
  if (tokens.length === 0) throw new ToolInputError("The expression is empty.");
  return written(new Evaluation(tokens).evaluate());
}

const TOKEN = /\s+|(?<number>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|(?<name>[a-z]\w*)|(?<sign>\*\*|[-+*/%^(),;×·÷−])/iy;
const spellings: Readonly<Record<string, string>> = { "**": "^", "×": "*", "·": "*", "÷": "/", "−": "-", ";": "," };

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  const pattern = new RegExp(TOKEN);
  while (pattern.lastIndex < expression.length) {
    const at = pattern.lastIndex;
    const groups = pattern.exec(expression)?.groups;
    if (!groups) {
      const [character = ""] = expression.slice(at, at + 2);
      throw new ToolInputError(`The character ${JSON.stringify(character.toWellFormed())} is not arithmetic.`);
    }
    const { number, name, sign } = groups;
    const token = number ?? name?.toLowerCase() ?? (sign && (spellings[sign] ?? sign));
    if (token !== undefined) tokens.push(token);
  }
  return tokens;
}

/** Evaluates tokens while it parses them, by recursive descent. */
class Evaluation {
  readonly #tokens: readonly string[];
  #at = 0;
  #depth = 0;
  #series = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  evaluate(): Decimal {
    const value = this.#sum();
    const left = this.#tokens[this.#at];
    if (left === undefined) return value;
    if (left === ")") throw new ToolInputError("A closing parenthesis has no opening one.");
    if (left === ",") throw new ToolInputError("A comma is outside of a function. Write numbers without commas.");
    throw new ToolInputError(`An operator is missing before ${left}.`);
  }

  #sum(): Decimal {
    let value = this.#product();
    for (let sign = this.#take("+", "-"); sign; sign = this.#take("+", "-")) {
      const other = this.#product();
      value = real(sign === "+" ? value.plus(other) : value.minus(other));
    }
    return value;
  }

  #product(): Decimal {
    let value = this.#signed();
    for (let sign = this.#take("*", "/", "%"); sign; sign = this.#take("*", "/", "%")) {
      const other = this.#signed();
      if (sign !== "*" && other.isZero()) throw new ToolInputError("A division by zero has no result.");
      value = real(sign === "*" ? value.times(other) : sign === "/" ? value.div(other) : value.mod(other));
    }
    return value;
  }

  #signed(): Decimal {
    return this.#nested(() => {
      const sign = this.#take("+", "-");
      if (!sign) return this.#power();
      const value = this.#signed();
      return sign === "-" ? value.neg() : value;
    });
  }

  #power(): Decimal {
    const base = this.#percentage();
    return this.#take("^") ? this.#powerOf(base, this.#signed()) : base;
  }

  #powerOf(base: Decimal, exponent: Decimal): Decimal {
    if (base.isZero() && exponent.isNeg()) throw new ToolInputError("A division by zero has no result.");
    if (!exponent.isInteger()) this.#countSeries();
    const power = base.pow(exponent);
    if (power.isNaN()) throw new ToolInputError("A fractional power of a negative number is not real.");
    return real(power);
  }

  #percentage(): Decimal {
    let value = this.#operand();
    while (this.#tokens[this.#at] === "%" && !isOperand(this.#tokens[this.#at + 1])) {
      this.#at += 1;
      value = value.div(100);
    }
    return value;
  }

  #operand(): Decimal {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    if (token === undefined) throw new ToolInputError("The expression ends where a number is missing.");
    if (/^[\d.]/.test(token)) return numberOf(token);
    if (token === "(") return this.#closed(() => this.#sum());
    if (!/^[a-z]/.test(token)) throw new ToolInputError(`A number is missing before ${token}.`);
    const constant = Object.hasOwn(constants, token) ? constants[token] : undefined;
    return constant ?? this.#call(token);
  }

  #call(name: string): Decimal {
    const rule = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (!rule) {
      const known = [...Object.keys(functions), ...Object.keys(constants)].join(", ");
      throw new ToolInputError(`The name ${name.slice(0, 20)} is not known. Known are: ${known}.`);
    }
    if (!this.#take("(")) throw new ToolInputError(`The function ${name} needs parentheses.`);
    const values = this.#closed(() => this.#values());
    const [first] = values;
    const [min, max] = rule.args;
    if (!first || values.length < min || values.length > max) {
      throw new ToolInputError(`The function ${name} takes ${max === 1 ? "one value" : `${min} to ${max} values`}.`);
    }
    if (rule.isSeries) this.#countSeries();
    return real(rule.compute(values, first));
  }

  #values(): Decimal[] {
    const values = [this.#sum()];
    while (this.#take(",")) values.push(this.#sum());
    return values;
  }

  #closed<T>(read: () => T): T {
    const value = read();
    if (!this.#take(")")) throw new ToolInputError("A closing parenthesis is missing.");
    return value;
  }

  /** Bounds recursion: all of it passes here. */
  #nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > CALCULATION_BOUNDS.depth) throw new ToolInputError("The expression is nested too deeply.");
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #countSeries(): void {
    this.#series += 1;
    if (this.#series > CALCULATION_BOUNDS.series) {
      throw new ToolInputError(`More than ${CALCULATION_BOUNDS.series} powers and functions: calculate it in steps.`);
    }
  }

  #take(...tokens: string[]): string | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined || !tokens.includes(token)) return undefined;
    this.#at += 1;
    return token;
  }
}

const isOperand = (token: string | undefined) => token !== undefined && /^[\w.(]/.test(token);

function numberOf(token: string): Decimal {
  if (token.length > CALCULATION_BOUNDS.digits) {
    throw new ToolInputError(`A number has more than ${CALCULATION_BOUNDS.digits} digits.`);
  }
  return real(new Decimal(token));
}

/** @throws ToolInputError for a value beyond the largest */
function real(value: Decimal): Decimal {
  if (value.isFinite()) return value;
  throw new ToolInputError(value.isNaN() ? "The expression has no result." : "A value is too large.");
}

function rootOf(value: Decimal): Decimal {
  if (value.isNeg() && !value.isZero()) throw new ToolInputError("The square root of a negative number is not real.");
  return value.sqrt();
}

function logarithmOf(value: Decimal): Decimal {
  if (value.lte(0)) throw new ToolInputError("Only positive numbers have a logarithm.");
  return value;
}

function baseOf(base: Decimal = new Decimal(10)): Decimal {
  if (base.lte(0) || base.eq(1)) throw new ToolInputError("The base of a logarithm is positive and not 1.");
  return base;
}

function exponentialOf(value: Decimal): Decimal {
  if (value.gt(MAX_EXPONENTIAL)) throw new ToolInputError("A value is too large.");
  return value.lt(-MAX_EXPONENTIAL) ? new Decimal(0) : value.exp();
}

function angleOf(value: Decimal): Decimal {
  if (value.abs().gt(MAX_ANGLE)) throw new ToolInputError("An angle is too large.");
  return value;
}

function tangentOf(angle: Decimal): Decimal {
  if (angle.cos().toDecimalPlaces(SINE_PLACES).isZero()) {
    throw new ToolInputError("The tangent is not defined there.");
  }
  return angle.tan().toDecimalPlaces(SINE_PLACES);
}

function placesOf(places: Decimal = new Decimal(0)): number {
  if (!places.isInteger() || places.lt(0) || places.gt(DIGITS)) {
    throw new ToolInputError(`Decimal places are a whole number from 0 to ${DIGITS}.`);
  }
  return places.toNumber();
}

function written(value: Decimal): string {
  if (value.isZero()) return "0";
  if (value.isInteger() && value.e < DIGITS) return value.toFixed();
  const shown = value.toSignificantDigits(SHOWN_DIGITS);
  return Math.abs(shown.e) > MAX_PLAIN ? shown.toExponential() : shown.toFixed();
}
