import type { ModelOption } from "#contract/models/models.ts";
import type { CatalogueModel } from "../catalogue.ts";
import { priceOf } from "../prices.ts";

/** Returns what people see of a model, without whether it can be called now. */
export function optionOf(entry: CatalogueModel): Omit<ModelOption, "available"> {
  const { label, value, contextTokens, isWindowAssumed, takesTemperature, efforts, pdf, tools } = entry;
  const { images, triesPictures } = entry;
  const price = priceOf(entry);
  return {
    label,
    value,
    ...(!isWindowAssumed && { contextTokens }),
    ...(price && { price }),
    ...(takesTemperature === false && { takesTemperature }),
    ...(efforts && { efforts: [...efforts] }),
    ...(images && { images }),
    ...(triesPictures && { triesPictures }),
    ...(pdf && { pdf }),
    ...(tools && { tools }),
  };
}
