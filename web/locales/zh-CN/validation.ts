import type { validationTemplates } from "#contract/validation.ts";
import type { Translated } from "../translated.ts";

export const validation: Translated<typeof validationTemplates> = {
  required: "请输入{{field}}",
  email: "请输入有效的邮箱地址",
  alphanumeric: "用户名只能包含英文字母和数字（不能有空格或特殊字符）",
  letters: "{{field}}只能包含英文字母（不能有数字或特殊字符）",
  min: "{{field}}至少需要 {{n}} 个字符",
  max: "{{field}}不能超过 {{n}} 个字符",
  mismatch: "两次输入的密码不一致",
  common: "此密码在常见密码列表中。请换一个",
  personal: "此密码可以从你的姓名或邮箱猜到。请换一个",
  key: "请输入验证密钥",
  resendEmail: "重新发送验证邮件需要邮箱地址",
  invalid: "{{field}}无效",
};
