//! The XSETTINGS property, as far as Lets needs it: one integer by name.

/// The integer setting `wanted` in a `_XSETTINGS_SETTINGS` property; `None` when it is absent, of another type, or the
/// property is malformed (it belongs to another program, so nothing about it is taken on trust).
pub fn integer(property: &[u8], wanted: &str) -> Option<i32> {
    let mut reader = Reader { bytes: property, at: 0, big_endian: *property.first()? == 1 };
    reader.skip(8)?;
    for _ in 0..reader.u32()? {
        let kind = reader.take(1)?[0];
        reader.skip(1)?;
        let name_length = usize::from(reader.u16()?);
        let matches = reader.take(name_length)? == wanted.as_bytes();
        reader.skip(padding(name_length) + 4)?;
        match kind {
            0 => {
                let value = reader.u32()?.cast_signed();
                if matches {
                    return Some(value);
                }
            }
            1 => {
                let length = usize::try_from(reader.u32()?).ok()?;
                reader.skip(length)?;
                reader.skip(padding(length))?;
            }
            2 => reader.skip(8)?,
            _ => return None,
        }
    }
    None
}

fn padding(length: usize) -> usize {
    (4 - length % 4) % 4
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    big_endian: bool,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let part = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(part)
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.take(count).map(|_| ())
    }

    fn u16(&mut self) -> Option<u16> {
        let bytes = self.take(2)?.try_into().ok()?;
        Some(if self.big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }

    fn u32(&mut self) -> Option<u32> {
        let bytes = self.take(4)?.try_into().ok()?;
        Some(if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(kind: u8, name: &str, value: &[u8]) -> Vec<u8> {
        let mut bytes = vec![kind, 0];
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend(name.as_bytes());
        bytes.resize(bytes.len() + padding(name.len()), 0);
        bytes.extend(7u32.to_le_bytes());
        bytes.extend(value);
        bytes
    }

    fn property(settings: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = vec![0, 0, 0, 0];
        bytes.extend(1u32.to_le_bytes());
        bytes.extend((settings.len() as u32).to_le_bytes());
        settings.iter().for_each(|setting| bytes.extend(setting));
        bytes
    }

    #[test]
    fn the_integer_is_found_behind_strings_and_colours() {
        let mut text = 5u32.to_le_bytes().to_vec();
        text.extend(b"Adwai\0\0\0");
        let bytes = property(&[
            setting(1, "Net/ThemeName", &text),
            setting(2, "Some/Colour", &[0; 8]),
            setting(0, "Gtk/EnableAnimations", &0u32.to_le_bytes()),
        ]);
        assert_eq!(integer(&bytes, "Gtk/EnableAnimations"), Some(0));
        assert_eq!(integer(&bytes, "Net/ThemeName"), None);
        assert_eq!(integer(&bytes, "Gtk/Missing"), None);
    }

    #[test]
    fn every_cut_of_a_property_is_harmless() {
        let bytes = property(&[setting(0, "Gtk/EnableAnimations", &1u32.to_le_bytes())]);
        for end in 0..bytes.len() {
            assert_eq!(integer(&bytes[..end], "Gtk/EnableAnimations"), None, "cut at {end}");
        }
        let mut huge = bytes.clone();
        huge[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(integer(&huge, "absent"), None);
    }

    #[test]
    fn big_endian_writers_are_understood() {
        let mut bytes = vec![1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 4];
        bytes.extend(b"Gtk/");
        bytes.extend([0, 0, 0, 0, 0, 0, 0, 9]);
        assert_eq!(integer(&bytes, "Gtk/"), Some(9));
    }
}
