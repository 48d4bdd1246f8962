//! PipeWire's parameters: what is asked of a stream, and what was agreed on.

use wayland_client::protocol::wl_shm::Format;

const ID: u32 = 3;
const INT: u32 = 4;
const RECTANGLE: u32 = 10;
const FRACTION: u32 = 11;
const OBJECT: u32 = 15;
const CHOICE: u32 = 19;

const CHOICE_RANGE: u32 = 1;
const CHOICE_ENUM: u32 = 3;
const CHOICE_FLAGS: u32 = 4;

const OBJECT_FORMAT: u32 = 0x40003;
const OBJECT_BUFFERS: u32 = 0x40004;
const OBJECT_META: u32 = 0x40005;

const PARAM_ENUM_FORMAT: u32 = 3;
pub const PARAM_FORMAT: u32 = 4;
const PARAM_BUFFERS: u32 = 5;
const PARAM_META: u32 = 6;

const MEDIA_TYPE: u32 = 1;
const MEDIA_SUBTYPE: u32 = 2;
const VIDEO_FORMAT: u32 = 0x20001;
const VIDEO_SIZE: u32 = 0x20003;
const VIDEO_FRAMERATE: u32 = 0x20004;
const VIDEO: u32 = 2;
const RAW: u32 = 1;

const BUFFERS_DATA_TYPE: u32 = 6;
/// Memory that is there as it is, and memory to map: none of a graphics card's.
const READABLE_MEMORY: u32 = 1 << 1 | 1 << 2;

const META_TYPE: u32 = 1;
const META_SIZE: u32 = 2;
/// Whether a frame is whole, and how it is turned: their numbers, and how large they are.
pub const META_HEADER: u32 = 1;
const META_HEADER_BYTES: u32 = 32;
pub const META_TRANSFORM: u32 = 8;
const META_TRANSFORM_BYTES: u32 = 4;

/// The formats of frames that can be read, by what Wayland calls the same bytes; the first is what is liked best.
const FORMATS: [(u32, Format); 8] = [
    (8, Format::Xrgb8888),
    (12, Format::Argb8888),
    (7, Format::Xbgr8888),
    (11, Format::Abgr8888),
    (15, Format::Bgr888),
    (16, Format::Rgb888),
    (80, Format::Xrgb2101010),
    (81, Format::Xbgr2101010),
];

/// What a stream delivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreed {
    pub format: Format,
    pub width: usize,
    pub height: usize,
}

/// A parameter as the library takes it: words, since it has to be aligned.
pub type Pod = Vec<u64>;

/// The formats that are wanted, of any size and at any rate.
pub fn wanted_formats() -> Pod {
    let formats: Vec<u32> = FORMATS.iter().map(|(number, _)| *number).collect();
    // The first of a choice stands for itself, and is named among the alternatives again.
    let choices: Vec<u32> = formats.first().into_iter().chain(&formats).copied().collect();
    object(
        OBJECT_FORMAT,
        PARAM_ENUM_FORMAT,
        &[
            (MEDIA_TYPE, plain(ID, &[VIDEO])),
            (MEDIA_SUBTYPE, plain(ID, &[RAW])),
            (VIDEO_FORMAT, choice(CHOICE_ENUM, ID, 1, &choices)),
            (VIDEO_SIZE, choice(CHOICE_RANGE, RECTANGLE, 2, &[1920, 1080, 1, 1, 32768, 32768])),
            (VIDEO_FRAMERATE, choice(CHOICE_RANGE, FRACTION, 2, &[60, 1, 0, 1, 1000, 1])),
        ],
    )
}

/// What is wanted of buffers once the format is known.
pub fn wanted_buffers() -> [Pod; 3] {
    let meta = |kind, bytes| {
        object(OBJECT_META, PARAM_META, &[(META_TYPE, plain(ID, &[kind])), (META_SIZE, plain(INT, &[bytes]))])
    };
    [
        object(OBJECT_BUFFERS, PARAM_BUFFERS, &[(BUFFERS_DATA_TYPE, choice(CHOICE_FLAGS, INT, 1, &[READABLE_MEMORY]))]),
        meta(META_HEADER, META_HEADER_BYTES),
        meta(META_TRANSFORM, META_TRANSFORM_BYTES),
    ]
}

/// Reads what was agreed on; `None`: it is nothing that can be read.
pub fn agreed(bytes: &[u8]) -> Option<Agreed> {
    let number = value(bytes, VIDEO_FORMAT, ID)?[0];
    let size = value(bytes, VIDEO_SIZE, RECTANGLE)?;
    let format = FORMATS.iter().find(|(known, _)| *known == number)?.1;
    Some(Agreed { format, width: size[0] as usize, height: size[1] as usize })
}

/// A value with its head: how many bytes it has, and of which kind it is.
fn plain(kind: u32, value: &[u32]) -> Vec<u32> {
    let mut words = vec![value.len() as u32 * 4, kind];
    words.extend(value);
    words
}

/// `each`: how many words one of the values has.
fn choice(how: u32, kind: u32, each: u32, values: &[u32]) -> Vec<u32> {
    let mut body = vec![how, 0, each * 4, kind];
    body.extend(values);
    plain(CHOICE, &body)
}

fn object(kind: u32, id: u32, properties: &[(u32, Vec<u32>)]) -> Pod {
    let mut body = vec![kind, id];
    for (key, value) in properties {
        body.extend([*key, 0]);
        body.extend(value);
        // Each begins at a multiple of eight bytes.
        body.resize(body.len().next_multiple_of(2), 0);
    }
    let words = plain(OBJECT, &body);
    words.chunks(2).map(|pair| u64::from(pair[0]) | u64::from(*pair.get(1).unwrap_or(&0)) << 32).collect()
}

/// The first two words of a property of an object; the second is of no meaning where its kind has but one.
fn value(bytes: &[u8], key: u32, kind: u32) -> Option<[u32; 2]> {
    let word = |at: usize| Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let end = 8 + word(0)? as usize;
    let mut at = 16;
    while at + 16 <= end {
        let (found, size, of) = (word(at)?, word(at + 8)? as usize, word(at + 12)?);
        let body = at + 16;
        if found == key {
            // What is agreed on may still be written as a choice of one.
            let (of, start) = if of == CHOICE { (word(body + 12)?, body + 16) } else { (of, body) };
            return (of == kind).then_some([word(start)?, word(start + 4).unwrap_or(0)]);
        }
        at = body + size.next_multiple_of(8);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(pod: &Pod) -> Vec<u8> {
        pod.iter().flat_map(|word| word.to_ne_bytes()).collect()
    }

    #[test]
    fn what_was_agreed_on_is_read_plain_and_as_a_choice() {
        let plainly = object(
            OBJECT_FORMAT,
            PARAM_FORMAT,
            &[
                (MEDIA_TYPE, plain(ID, &[VIDEO])),
                (VIDEO_FORMAT, plain(ID, &[11])),
                (VIDEO_SIZE, plain(RECTANGLE, &[640, 480])),
            ],
        );
        let expected = Agreed { format: Format::Abgr8888, width: 640, height: 480 };
        assert_eq!(agreed(&bytes(&plainly)), Some(expected));
        let first = Agreed { format: Format::Xrgb8888, width: 1920, height: 1080 };
        assert_eq!(agreed(&bytes(&wanted_formats())), Some(first));
    }

    #[test]
    fn what_is_not_known_or_cut_off_is_no_agreement() {
        let unknown = object(
            OBJECT_FORMAT,
            PARAM_FORMAT,
            &[(VIDEO_FORMAT, plain(ID, &[23])), (VIDEO_SIZE, plain(RECTANGLE, &[4, 4]))],
        );
        assert_eq!(agreed(&bytes(&unknown)), None);
        let whole = bytes(&wanted_formats());
        for length in 0..120 {
            assert_eq!(agreed(&whole[..length]), None, "{length} bytes");
        }
    }

    #[test]
    fn heads_count_the_bytes_that_follow() {
        for pod in wanted_buffers().iter().chain([&wanted_formats()]) {
            let head = pod[0];
            assert_eq!(head >> 32, u64::from(OBJECT));
            assert_eq!((head & 0xffff_ffff) as usize, pod.len() * 8 - 8);
        }
    }
}
