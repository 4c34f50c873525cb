"""Items and their owners: reassign items (§4.3)."""

from __future__ import annotations

from records import GIVE_ITEMS, MANAGE_ALL_ITEMS, RECEIVE_ITEMS, Item, Records, User
from refusal import Refusal, forbidden, invalid, unknown

ITEMS_LIMIT = 100


class Content:
    def __init__(self, records: Records, item_url: str) -> None:
        self.records = records
        self.item_url = item_url

    def reassign(self, user: User, form: dict, owner: str) -> dict:
        with self.records.lock:
            former = self.records.users.get(owner)
            if former is None:
                raise unknown('user')
            if not self.may_reassign(user, former):
                raise forbidden('Only the owner or an administrator may reassign these items.')
            ids = self.asked_items(form)
            target = self.target(form, former)
            items = [self.owned(item, owner) for item in ids]
            if RECEIVE_ITEMS not in target.privileges:
                raise Refusal(403, 'The target user has no right privileges.', 'CONT_0403', self.details(items))
            self.move(items, target, form.get('targetFoldername') or f'From {owner}')
            return {'success': True, 'itemId': items[0].id}

    def may_reassign(self, user: User, owner: User) -> bool:
        """An administrator of the owner's organization, or the owner with the privilege to give (§5)."""
        if user.administers(owner.portal):
            return True
        if user.portal == owner.portal and MANAGE_ALL_ITEMS in user.privileges:
            return True
        return user.name == owner.name and GIVE_ITEMS in user.privileges

    def asked_items(self, form: dict) -> list[str]:
        """The ids of the request, each once. More than 100 are refused as a whole (§4.3)."""
        ids = [item.strip() for item in form.get('items', '').split(',')]
        if '' in ids:
            raise invalid('items is missing, or an id in it is empty.')
        if len(ids) > ITEMS_LIMIT:
            raise invalid(f'items holds more than {ITEMS_LIMIT} ids.')
        return list(dict.fromkeys(ids))

    def target(self, form: dict, former: User) -> User:
        name = form.get('targetUsername', '')
        if name == '':
            raise invalid('targetUsername is missing.')
        target = self.records.users.get(name)
        if target is None or target.portal != former.portal:
            raise unknown('target user in this organization')
        if target.name == former.name:
            raise invalid('The target user owns the items already.')
        return target

    def owned(self, item: str, owner: str) -> Item:
        found = self.records.items.get(item)
        if found is None or found.owner != owner:
            raise unknown('item of this user')
        return found

    def move(self, items: list[Item], target: User, folder: str) -> None:
        for item in items:
            item.owner = target.name
            item.folder = folder

    def details(self, items: list[Item]) -> list[dict]:
        """One entry for each item that could not be reassigned (§7)."""
        return [
            {
                'itemId': item.id,
                'type': item.type,
                'url': f'{self.item_url}/{item.id}',
                'reservedTypeKeywords': list(item.keywords),
                'owner': item.owner,
            }
            for item in items
        ]
