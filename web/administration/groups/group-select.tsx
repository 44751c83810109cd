import { type AccountGroup, NO_GROUP } from "#contract/administration/groups.ts";
import { useResource } from "../../queries/use-resource.ts";
import { SelectField } from "../../ui/components/fields/select-field.tsx";
import { useHasRole } from "../use-has-role.ts";
import { readGroups } from "./groups-api.ts";

/** Groups that the account may see; empty until they are read, or if they cannot be. */
export function useGroups(): readonly AccountGroup[] {
  return useResource(readGroups).value?.groups ?? [];
}

/** Returns whether the signed-in account may not let others into a group: they would share a budget of its owners. */
export function useIsClosed(): (group: AccountGroup) => boolean {
  const isOwner = useHasRole("owner");
  return ({ isOwnersOnly, budget }) => !isOwner && isOwnersOnly && budget !== null;
}

type GroupSelectProps = {
  groups: readonly AccountGroup[];
  label: string;
  /** Text of the choice without a group. */
  none: string;
  /** Text of the choice of accounts without a group; absent: it is not offered. */
  without?: string;
  /** Id of a group; empty for none. Absent: the select is uncontrolled. */
  value?: string;
  isDisabled?: (group: AccountGroup) => boolean;
  onChange?: (id: string) => void;
  name?: string;
  className?: string;
};

/** Choice of a group, or none. */
export function GroupSelect({
  groups,
  label,
  none,
  without,
  value,
  isDisabled,
  onChange,
  name,
  className,
}: GroupSelectProps) {
  return (
    <SelectField
      label={label}
      {...(name !== undefined && { name })}
      {...(value !== undefined && { value })}
      {...(className !== undefined && { className })}
      onChange={({ target }) => onChange?.(target.value)}
    >
      <option value="">{none}</option>
      {without !== undefined && <option value={NO_GROUP}>{without}</option>}
      {groups.map((group) => (
        <option key={group.id} value={group.id} disabled={isDisabled?.(group)}>
          {group.name}
        </option>
      ))}
    </SelectField>
  );
}
