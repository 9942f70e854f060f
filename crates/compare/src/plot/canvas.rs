//! A bitmap to draw on, and the PNG of it.
//!
//! Lines and shapes come from the drawing library, pixel by pixel. Its own text needs fonts of the system and C libraries, so text
//! is put together here from letters that were drawn ahead: one width, two sizes, Latin alone. What has no such
//! letter is shown as a question mark.

use std::convert::Infallible;

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendTextStyle, DrawingBackend, DrawingErrorKind};

use super::PlotError;

/// Text above this size is drawn with the larger letters.
const LARGE: f64 = 15.0;

/// A bitmap with three bytes for each pixel.
#[derive(Debug)]
pub struct Canvas<'a> {
    size: (u32, u32),
    pixels: &'a mut Vec<u8>,
}

impl<'a> Canvas<'a> {
    /// A black bitmap in a vector that is made as large as it needs.
    pub fn new(pixels: &'a mut Vec<u8>, size: (u32, u32)) -> Canvas<'a> {
        pixels.clear();
        pixels.resize(3 * size.0 as usize * size.1 as usize, 0);
        Canvas { size, pixels }
    }
}

/// The PNG of a bitmap.
pub fn png(pixels: &[u8], (width, height): (u32, u32)) -> Result<Vec<u8>, PlotError> {
    let failed = |error: png::EncodingError| PlotError(error.to_string());
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(pixels).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(file)
}

fn letters(size: f64) -> RasterHeight {
    if size > LARGE { RasterHeight::Size20 } else { RasterHeight::Size16 }
}

/// Columns and rows of pixels of a text.
fn extent(text: &str, letters: RasterHeight) -> (i32, i32) {
    let width = get_raster_width(FontWeight::Regular, letters) * text.chars().count();
    (i32::try_from(width).unwrap_or(i32::MAX), letters.val() as i32)
}

impl DrawingBackend for Canvas<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Result<(), DrawingErrorKind<Infallible>> {
        Ok(())
    }

    fn present(&mut self) -> Result<(), DrawingErrorKind<Infallible>> {
        Ok(())
    }

    fn draw_pixel(
        &mut self,
        (x, y): BackendCoord,
        colour: BackendColor,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { return Ok(()) };
        if x >= self.size.0 || y >= self.size.1 {
            return Ok(());
        }
        let at = 3 * (y as usize * self.size.0 as usize + x as usize);
        let (red, green, blue) = colour.rgb;
        for (pixel, part) in self.pixels[at..at + 3].iter_mut().zip([red, green, blue]) {
            let mixed = f64::from(part) * colour.alpha + f64::from(*pixel) * (1.0 - colour.alpha);
            *pixel = mixed.round() as u8;
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        at: BackendCoord,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        let (colour, letters) = (style.color(), letters(style.size()));
        let (width, height) = extent(text, letters);
        let left = match style.anchor().h_pos {
            HPos::Left => 0,
            HPos::Center => -width / 2,
            HPos::Right => -width,
        };
        let top = match style.anchor().v_pos {
            VPos::Top => 0,
            VPos::Center => -height / 2,
            VPos::Bottom => -height,
        };
        let shown = |letter| get_raster(letter, FontWeight::Regular, letters);
        let mut from = left;
        for letter in text.chars().filter_map(|letter| shown(letter).or_else(|| shown('?'))) {
            for (y, row) in letter.rows().enumerate() {
                for (x, &strength) in row.iter().enumerate().filter(|(_, strength)| **strength > 0) {
                    let (x, y) = style.transform().transform(from + x as i32, top + y as i32);
                    let alpha = colour.alpha * f64::from(strength) / 255.0;
                    self.draw_pixel((at.0 + x, at.1 + y), BackendColor { alpha, ..colour })?;
                }
            }
            from += letter.width() as i32;
        }
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let (width, height) = extent(text, letters(style.size()));
        Ok((width.unsigned_abs(), height.unsigned_abs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_mixed_and_stay_inside() {
        let mut pixels = Vec::new();
        let mut canvas = Canvas::new(&mut pixels, (4, 3));
        let half = BackendColor { alpha: 0.5, rgb: (200, 100, 0) };
        for at in [(3, 2), (4, 2), (3, 3), (-1, 0), (0, -1), (i32::MAX, i32::MIN)] {
            canvas.draw_pixel(at, half).unwrap();
        }
        assert_eq!(pixels.iter().filter(|part| **part > 0).count(), 2);
        assert_eq!(pixels[3 * 11..], [100, 50, 0]);
    }

    #[test]
    fn a_picture_can_be_read_again() {
        let pixels: Vec<u8> = (0..3 * 5 * 7).map(|at| at as u8).collect();
        let file = png(&pixels, (5, 7)).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut again = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut again).unwrap();
        assert_eq!((frame.width, frame.height, &again), (5, 7, &pixels));
    }
}
