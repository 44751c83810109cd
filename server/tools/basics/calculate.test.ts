import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolInputError } from "../tool-input-error.ts";
import { CALCULATION_BOUNDS, calculate } from "./calculate.ts";

describe("results", () => {
  it.each([
    ["0.1 + 0.2", "0.3"],
    ["1.1 * 1.1", "1.21"],
    ["1/3", "0.33333333333333333333"],
    ["1/3*3", "1"],
    ["2 + 3 * 4", "14"],
    ["(2 + 3) * 4", "20"],
    ["10 - 4 - 3", "3"],
    ["100 / 10 / 2", "5"],
    ["-2^2", "-4"],
    ["(-2)^2", "4"],
    ["2^3^2", "512"],
    ["2^-1", "0.5"],
    ["2**10", "1024"],
    ["--3", "3"],
    ["+3", "3"],
    ["2^100", "1267650600228229401496703205376"],
    ["2^200", "1.6069380442589902755e+60"],
    ["2^-200", "6.2230152778611417071e-61"],
    ["1e3 + 1.5E-3", "1000.0015"],
    [".5 + 5.", "5.5"],
    ["10 % 3", "1"],
    ["-7 % 3", "2"],
    ["7 % (-3)", "-2"],
    ["200 * 15%", "30"],
    ["100% - 20%", "0.8"],
    ["50%%", "0.005"],
    ["12 × 3 ÷ 4 − 1", "8"],
    ["0 * -1", "0"],
    ["1250 * (1 + 3.5%)^10", "1763.2484507764027281"],
    ["9.99 * 3 + 4.95", "34.92"],
  ])("%s is %s", (expression, result) => {
    expect(calculate(expression)).toBe(result);
  });

  it.each([
    ["sqrt(2)", "1.4142135623730950488"],
    ["sqrt(2)^2", "2"],
    ["abs(-3)", "3"],
    ["round(2.5)", "3"],
    ["round(-2.5)", "-3"],
    ["round(2.345, 2)", "2.35"],
    ["floor(-1.5)", "-2"],
    ["ceil(1.2)", "2"],
    ["min(3, -1, 2)", "-1"],
    ["max(3; 10; 2)", "10"],
    ["log(1000)", "3"],
    ["log(8, 2)", "3"],
    ["ln(e)", "1"],
    ["exp(1)", "2.7182818284590452354"],
    ["exp(-5000)", "0"],
    ["sin(pi)", "0"],
    ["cos(PI)", "-1"],
    ["tan(pi/4)", "1"],
    ["sin(pi/6)", "0.5"],
    ["27^(1/3)", "3"],
    ["e^2", "7.3890560989306502272"],
  ])("%s is %s by a function", (expression, result) => {
    expect(calculate(expression)).toBe(result);
  });

  it("sums and products of whole numbers are those of BigInt", () => {
    const whole = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
    fc.assert(
      fc.property(whole, whole, whole, (a, b, c) => {
        expect(calculate(`(${a}) * (${b}) + (${c})`)).toBe(`${a * b + c}`);
        expect(calculate(`${a} - (${b}) - (${c})`)).toBe(`${a - b - c}`);
      }),
    );
  });
});

describe("expressions without a result", () => {
  it.each([
    ["", "The expression is empty."],
    [" \n", "The expression is empty."],
    ["1 / 0", "A division by zero has no result."],
    ["5 % 0", "A division by zero has no result."],
    ["0^-1", "A division by zero has no result."],
    ["sqrt(-1)", "The square root of a negative number is not real."],
    ["(-8)^(1/3)", "A fractional power of a negative number is not real."],
    ["ln(0)", "Only positive numbers have a logarithm."],
    ["log(5, 1)", "The base of a logarithm is positive and not 1."],
    ["tan(pi/2)", "The tangent is not defined there."],
    ["sin(1e16)", "An angle is too large."],
    ["10^1000 * 10", "A value is too large."],
    ["9^9^9^9", "A value is too large."],
    ["exp(1e900)", "A value is too large."],
    ["1e1001", "A value is too large."],
    ["round(1, 0.5)", "Decimal places are a whole number from 0 to 50."],
    ["2 +", "The expression ends where a number is missing."],
    ["2 * / 3", "A number is missing before /."],
    ["()", "A number is missing before )."],
    ["(2 + 3", "A closing parenthesis is missing."],
    ["2 + 3)", "A closing parenthesis has no opening one."],
    ["1,000 + 1", "A comma is outside of a function. Write numbers without commas."],
    ["2 pi", "An operator is missing before pi."],
    ["2(3)", "An operator is missing before (."],
    ["sqrt 2", "The function sqrt needs parentheses."],
    ["sqrt(1, 2)", "The function sqrt takes one value."],
    ["round(1, 2, 3)", "The function round takes 1 to 2 values."],
    ["x + 1", /^The name x is not known\. Known are: sqrt, abs, .*, pi, e\.$/],
    ["constructor(1)", /^The name constructor is not known/],
    ["__proto__", 'The character "_" is not arithmetic.'],
    ["2 = 2", 'The character "=" is not arithmetic.'],
    ["1; process.exit()", /^(?:A comma is outside of a function|The character "\." is not arithmetic)/],
    ["2 + 😀", 'The character "😀" is not arithmetic.'],
    [`1${"0".repeat(CALCULATION_BOUNDS.digits)}`, "A number has more than 100 digits."],
    ["1+".repeat(500) + 1, "The expression is longer than 1000 characters."],
    ["(".repeat(400), "The expression is nested too deeply."],
    ["-".repeat(900) + 1, "The expression is nested too deeply."],
    ["2^".repeat(400) + 1, "The expression is nested too deeply."],
    [Array(9).fill("ln(2)").join("+"), "More than 8 powers and functions: calculate it in steps."],
  ])("%s is refused with a sentence", (expression, sentence) => {
    expect(() => calculate(expression)).toThrow(ToolInputError);
    expect(() => calculate(expression)).toThrow(sentence);
  });

  it("every text has a result in digits or a sentence, and nothing else", () => {
    const word = fc.constantFrom(
      ..."0123456789.+-*/%^(),eE ",
      "pi",
      "sqrt(",
      "ln(",
      "log(",
      "sin(",
      "round(",
      "max(",
      "tan(",
    );
    const text = fc.oneof(
      fc.array(word, { maxLength: 40 }).map((words) => words.join("")),
      fc.string(),
    );
    fc.assert(
      fc.property(text, (expression) => {
        try {
          expect(calculate(expression)).toMatch(/^-?\d+(?:\.\d+)?(?:e[+-]\d+)?$/);
        } catch (error) {
          if (!(error instanceof ToolInputError)) throw error;
          expect(error.message).toMatch(/^[A-Z].{5,200}\.$/s);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
