-- What format 8 kept of conversations beside the memories that format 1 wrote.
INSERT INTO note_documents (namespace_id, collection, name, text, version)
VALUES (1, 'observations', '회의', '- 🔴 format 8이 적은 것', '0123456789abcdef0123456789abcdef');
INSERT INTO note_lines (namespace_id, collection, name, number, line)
VALUES (1, 'pending', '회의', 1, 'format 8이 적은 것');
